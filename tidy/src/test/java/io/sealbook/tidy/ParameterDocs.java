package io.sealbook.tidy;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Every public method of a public type with two or more parameters has an {@code @param} for each. Exempt are methods
 * that override, constructors, and tests. Read with the compiler's own parser.
 */
final class ParameterDocs {
    static final String RULE = "param";
    static final String REMEDY =
            "add @param with unit, range and ownership for each parameter, or make the method " + "package-private";

    private static final int PARAMETERS_MIN = 2;

    private ParameterDocs() {}

    static List<Offence> offences(List<TextFile> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> sources =
                files.stream().<JavaFileObject>map(Source::new).toList();
        StringWriter messages = new StringWriter();
        JavacTask task =
                (JavacTask) compiler.getTask(messages, null, diagnostic -> {}, List.of("-proc:none"), null, sources);
        DocTrees docs = DocTrees.instance(task);
        List<Offence> offences = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(unit, docs, offences).scan(unit, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(messages.toString(), e);
        }
        return offences;
    }

    /** Walks one file; keeps whether the type around is public. */
    private static final class Scanner extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final DocTrees docs;
        private final List<Offence> offences;
        private boolean isPublic = true;
        private boolean isInterface;

        Scanner(CompilationUnitTree unit, DocTrees docs, List<Offence> offences) {
            this.unit = unit;
            this.docs = docs;
            this.offences = offences;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            boolean wasPublic = isPublic;
            boolean wasInterface = isInterface;
            isPublic = wasPublic && (type.getModifiers().getFlags().contains(Modifier.PUBLIC) || wasInterface);
            isInterface = type.getKind() == Tree.Kind.INTERFACE;
            super.visitClass(type, null);
            isPublic = wasPublic;
            isInterface = wasInterface;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            Set<Modifier> flags = method.getModifiers().getFlags();
            boolean isSeen =
                    isPublic && (flags.contains(Modifier.PUBLIC) || isInterface && !flags.contains(Modifier.PRIVATE));
            if (isSeen
                    && method.getParameters().size() >= PARAMETERS_MIN
                    && !method.getName().contentEquals("<init>")
                    && !overrides(method)) {
                judge(method);
            }
            return null;
        }

        private static boolean overrides(MethodTree method) {
            return method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
        }

        private void judge(MethodTree method) {
            Set<String> documented = documented(getCurrentPath());
            List<String> missing = method.getParameters().stream()
                    .map(VariableTree::getName)
                    .map(Object::toString)
                    .filter(name -> !documented.contains(name))
                    .toList();
            if (!missing.isEmpty()) {
                long position = docs.getSourcePositions().getStartPosition(unit, method);
                int line = (int) unit.getLineMap().getLineNumber(position);
                String path = unit.getSourceFile().toUri().getPath().substring(1);
                offences.add(new Offence(
                        RULE, path, line, method.getName() + " lacks @param " + String.join(", ", missing)));
            }
        }

        private Set<String> documented(TreePath path) {
            DocCommentTree comment = docs.getDocCommentTree(path);
            if (comment == null) {
                return Set.of();
            }
            return comment.getBlockTags().stream()
                    .filter(tag -> tag.getKind() == DocTree.Kind.PARAM)
                    .map(tag -> ((ParamTree) tag).getName().toString())
                    .collect(Collectors.toSet());
        }
    }

    /** A file of the checkout as the compiler reads it. */
    private static final class Source extends SimpleJavaFileObject {
        private final TextFile file;

        Source(TextFile file) {
            super(URI.create("file:///" + file.path()), Kind.SOURCE);
            this.file = file;
        }

        @Override
        public CharSequence getCharContent(boolean ignoresEncodingErrors) {
            return String.join("\n", file.lines());
        }
    }
}
