package io.sealbook.gpu.standin;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates PTX into C, a function for each kernel that does the work of one thread. So what the compiler made of the
 * carry chains is run and not only what they were meant to be.
 *
 * <p>It knows the instructions that occur in this module's PTX and refuses any other. Registers become arrays; the
 * condition code register becomes a variable.
 */
final class PtxToC {
    private static final Pattern COMMENT = Pattern.compile("//[^\n]*");
    private static final Pattern CONSTANT =
            Pattern.compile("\\.const\\s+\\.align\\s+\\d+\\s+\\.b8\\s+(\\w+)\\[(\\d+)]\\s*=\\s*\\{([^}]*)}");
    private static final Pattern ENTRY =
            Pattern.compile("\\.entry\\s+(\\w+)\\s*\\(([^)]*)\\)[^{]*\\{(.*?)\n}", Pattern.DOTALL);
    private static final Pattern PARAMETER = Pattern.compile("\\.param\\s+\\.(\\w+)\\s+(\\w+)");
    private static final Pattern REGISTERS = Pattern.compile("\\.reg\\s+\\.(\\w+)\\s+%(\\w+)<(\\d+)>;");
    private static final Pattern LOCAL = Pattern.compile("\\.local\\s+\\.align\\s+\\d+\\s+\\.b8\\s+(\\w+)\\[(\\d+)];");
    private static final Pattern LABEL = Pattern.compile("(\\$\\w+:)");
    private static final Pattern GUARDED = Pattern.compile("@(!?)%p(\\d+)\\s+(.*)");

    private static final String PRELUDE = String.join(
            "\n",
            "#include \"kernel_set.h\"",
            "#include <stddef.h>",
            "typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;",
            "typedef int16_t s16; typedef int32_t s32; typedef int64_t s64;",
            "static inline u32 permute(u32 a, u32 b, u32 selectors)",
            "{",
            "    u64 bytes = (u64)b << 32 | a;",
            "    u32 r = 0;",
            "    for (int i = 0; i < 4; i++) {",
            "        r |= (u32)((bytes >> (selectors >> (4 * i) & 7) * 8) & 0xFF) << (8 * i);",
            "    }",
            "    return r;",
            "}",
            "");

    private final StringBuilder c = new StringBuilder(PRELUDE);
    private final List<String> names = new ArrayList<>();

    private PtxToC() {}

    /** Returns a C source that defines {@code ptx_kernels}. */
    static String translate(String ptx) {
        PtxToC translation = new PtxToC();
        String text = COMMENT.matcher(ptx).replaceAll("");
        translation.constants(text);
        Matcher entry = ENTRY.matcher(text);
        while (entry.find()) {
            translation.kernel(entry.group(1), entry.group(2), entry.group(3));
        }
        translation.table();
        return translation.c.toString();
    }

    private void constants(String text) {
        Matcher constant = CONSTANT.matcher(text);
        while (constant.find()) {
            line("static const u8 " + constant.group(1) + "[" + constant.group(2) + "] __attribute__((aligned(16))) = {"
                    + constant.group(3) + "};");
        }
    }

    private void kernel(String name, String parameterList, String body) {
        List<String> parameterTypes = new ArrayList<>();
        List<String> parameterNames = new ArrayList<>();
        Matcher parameter = PARAMETER.matcher(parameterList);
        while (parameter.find()) {
            parameterTypes.add(parameter.group(1));
            parameterNames.add(parameter.group(2));
        }
        names.add(name);
        line("static void " + name + "(void **arguments, u32 TID, u32 NTID, u32 CTAID)");
        line("{");
        line("u32 CC = 0; u64 SP = 0, SPL = 0; (void)CC; (void)SP; (void)SPL;");
        Matcher registers = REGISTERS.matcher(body);
        while (registers.find()) {
            line(registerType(registers.group(1)) + " " + registers.group(2) + "[" + registers.group(3) + "];");
        }
        Matcher local = LOCAL.matcher(body);
        while (local.find()) {
            line("u8 " + local.group(1) + "[" + local.group(2) + "] __attribute__((aligned(16)));");
        }
        for (String part : LABEL.matcher(body)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1) + ";"))
                .split(";")) {
            String statement = part.strip().replaceAll("\\s+", " ");
            if (statement.endsWith(":")) {
                line(statement.substring(0, statement.length() - 1).replace("$", "") + ":;");
            } else if (!statement.isEmpty() && !statement.startsWith(".")) {
                line(statement(statement, parameterTypes, parameterNames));
            }
        }
        line("}");
    }

    private void table() {
        line("KERNEL_SET ptx_kernels[] = {");
        names.forEach(name -> line("{\"" + name + "\", " + name + "},"));
        line("{NULL, NULL}};");
    }

    private void line(String line) {
        c.append(line).append('\n');
    }

    private static String statement(String text, List<String> parameterTypes, List<String> parameterNames) {
        Matcher guarded = GUARDED.matcher(text);
        if (guarded.matches()) {
            return "if (" + guarded.group(1) + "p[" + guarded.group(2) + "]) {"
                    + statement(guarded.group(3), parameterTypes, parameterNames) + "}";
        }
        int space = text.indexOf(' ');
        PtxInstruction instruction = space < 0
                ? PtxInstruction.of(text, List.of())
                : PtxInstruction.of(text.substring(0, space), operands(text.substring(space + 1)));
        if (instruction.isParameterLoad()) {
            int index = parameterNames.indexOf(instruction.parameterName());
            return instruction.loadParameter(parameterTypes.get(index), index);
        }
        return instruction.toC();
    }

    /** Splits at commas outside of braces and brackets. */
    private static List<String> operands(String text) {
        List<String> operands = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '{' || character == '[') {
                depth++;
            } else if (character == '}' || character == ']') {
                depth--;
            } else if (character == ',' && depth == 0) {
                operands.add(text.substring(start, i).strip());
                start = i + 1;
            }
        }
        operands.add(text.substring(start).strip());
        return operands;
    }

    private static String registerType(String ptxType) {
        return ptxType.equals("pred") ? "u8" : ptxType.replace('b', 'u');
    }
}
