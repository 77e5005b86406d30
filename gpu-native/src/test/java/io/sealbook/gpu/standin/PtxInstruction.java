package io.sealbook.gpu.standin;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One PTX instruction and what it is in C. Semantics: PTX ISA 8.0, section 9.7.
 *
 * @param name such as {@code madc}
 * @param modifiers what stands behind it, such as {@code lo, cc, u32}
 * @param operands the destination first, as written
 */
record PtxInstruction(String name, List<String> modifiers, List<String> operands) {
    private static final Pattern REGISTER = Pattern.compile("%([a-z]+)(\\d+)");
    private static final Pattern ADDRESS = Pattern.compile("\\[([%\\w]+)(?:\\+(-?\\d+))?]");
    private static final Map<String, String> SPECIAL =
            Map.of("%SP", "SP", "%SPL", "SPL", "%tid.x", "TID", "%ntid.x", "NTID", "%ctaid.x", "CTAID");
    private static final Map<String, String> COMPARISONS =
            Map.of("eq", "==", "ne", "!=", "lt", "<", "le", "<=", "gt", ">", "ge", ">=");
    private static final Map<String, String> OPERATORS =
            Map.of("add", "+", "sub", "-", "and", "&", "or", "|", "xor", "^", "div", "/", "rem", "%");

    static PtxInstruction of(String opcode, List<String> operands) {
        String[] parts = opcode.split("\\.");
        return new PtxInstruction(parts[0], Arrays.asList(parts).subList(1, parts.length), operands);
    }

    boolean isParameterLoad() {
        return name.equals("ld") && modifiers.contains("param");
    }

    String parameterName() {
        return operands.get(1).substring(1, operands.get(1).length() - 1);
    }

    String loadParameter(String type, int index) {
        return value(0) + " = *(" + type + " *)arguments[" + index + "];";
    }

    String toC() {
        return switch (name) {
            case "bra" -> "goto " + operands.get(0).replace("$", "") + ";";
            case "ret" -> "return;";
            case "ld" -> transfer(operands.get(0), operands.get(1), true);
            case "st" -> transfer(operands.get(1), operands.get(0), false);
            case "mov", "cvta" -> set(value(1));
            case "cvt" -> set("(" + modifiers.get(0) + ")(" + modifiers.get(1) + ")" + value(1));
            case "add", "sub" -> has("cc") ? carrying(false) : set(binary());
            case "addc", "subc", "madc" -> carrying(true);
            case "mad" -> has("cc") ? carrying(false) : set(typed(1) + " * " + typed(2) + " + " + typed(3));
            case "mul" -> set(product());
            case "div", "rem" -> set(binary());
            case "and", "or", "xor" -> set(value(1) + " " + OPERATORS.get(name) + " " + value(2));
            case "not" -> set(type().equals("pred") ? "!" + value(1) : "~" + typed(1));
            case "neg" -> set("-" + typed(1));
            case "min" -> set(typed(1) + " < " + typed(2) + " ? " + typed(1) + " : " + typed(2));
            case "clz" -> set("(u32)" + value(1) + " == 0 ? 32 : __builtin_clz((u32)" + value(1) + ")");
            case "shl" -> set(shift("<<"));
            case "shr" -> set(shift(">>"));
            case "shf" -> set(funnelShift());
            case "prmt" -> set("permute((u32)" + value(1) + ", (u32)" + value(2) + ", (u32)" + value(3) + ")");
            case "setp" -> set(typed(1) + " " + COMPARISONS.get(modifiers.get(0)) + " " + typed(2));
            case "selp" -> set(value(3) + " ? " + value(1) + " : " + value(2));
            default -> throw new IllegalArgumentException("no translation of PTX instruction " + this);
        };
    }

    private String set(String expression) {
        return value(0) + " = " + expression + ";";
    }

    private boolean has(String modifier) {
        return modifiers.contains(modifier);
    }

    /** The instruction's type as C names it; untyped bits count as unsigned. */
    private String type() {
        String last = modifiers.get(modifiers.size() - 1);
        return last.startsWith("b") ? "u" + last.substring(1) : last;
    }

    private String typed(int operand) {
        return "(" + type() + ")" + value(operand);
    }

    private String binary() {
        return "(" + type() + ")(" + typed(1) + " " + OPERATORS.get(name) + " " + typed(2) + ")";
    }

    private String product() {
        if (has("wide")) {
            String wide = type().equals("s32") ? "s64" : "u64";
            return "(" + wide + ")" + typed(1) + " * (" + wide + ")" + typed(2);
        }
        if (has("hi")) {
            return "(u32)(" + fullProduct() + " >> 32)";
        }
        return "(" + type() + ")(" + typed(1) + " * " + typed(2) + ")";
    }

    private String fullProduct() {
        require("u32");
        return "((u64)(u32)" + value(1) + " * (u32)" + value(2) + ")";
    }

    /** Additions and subtractions that read or write the carry, CC; a borrow is kept in it too. */
    private String carrying(boolean readsCarry) {
        require("u32");
        boolean isMultiplication = name.startsWith("mad");
        boolean isSubtraction = name.startsWith("sub");
        String left = isMultiplication ? "(u32)(" + fullProduct() + (has("hi") ? " >> 32)" : ")") : "(u32)" + value(1);
        String right = "(u32)" + value(isMultiplication ? 3 : 2);
        String sign = isSubtraction ? " - " : " + ";
        String carryOut = has("cc") ? " CC = (u32)(x >> " + (isSubtraction ? 63 : 32) + ");" : "";
        return "{ u64 x = (u64)" + left + sign + right + (readsCarry ? sign + "CC" : "") + "; " + set("(u32)x")
                + carryOut + " }";
    }

    private String shift(String operator) {
        int widthMask = type().endsWith("64") ? 63 : 31;
        return "(" + type() + ")(" + typed(1) + " " + operator + " ((u32)" + value(2) + " & " + widthMask + "))";
    }

    private String funnelShift() {
        if (!has("wrap")) {
            throw new IllegalArgumentException("no translation of PTX instruction " + this);
        }
        String pair = "((u64)(u32)" + value(2) + " << 32 | (u32)" + value(1) + ")";
        String bits = "((u32)" + value(3) + " & 31)";
        return has("l") ? "(u32)((" + pair + " << " + bits + ") >> 32)" : "(u32)(" + pair + " >> " + bits + ")";
    }

    /** Loads or stores a scalar or a vector. */
    private String transfer(String registers, String address, boolean isLoad) {
        String[] parts = registers.replaceAll("[{}]", "").split(",");
        StringBuilder c = new StringBuilder("{ u64 at = " + address(address) + ";");
        for (int i = 0; i < parts.length; i++) {
            String memory = "((" + type() + " *)at)[" + i + "]";
            String register = value(parts[i].strip());
            c.append(
                    isLoad
                            ? " " + register + " = " + memory + ";"
                            : " " + memory + " = (" + type() + ")" + register + ";");
        }
        return c.append(" }").toString();
    }

    private static String address(String text) {
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches()) {
            throw new IllegalArgumentException("no address: " + text);
        }
        return "(" + value(address.group(1)) + ") + (" + (address.group(2) == null ? "0" : address.group(2)) + ")";
    }

    private void require(String wanted) {
        if (!type().equals(wanted)) {
            throw new IllegalArgumentException("not for " + wanted + ": " + this);
        }
    }

    private String value(int operand) {
        return value(operands.get(operand));
    }

    /** A register, a special register, a number, or a variable's address. */
    private static String value(String operand) {
        if (SPECIAL.containsKey(operand)) {
            return SPECIAL.get(operand);
        }
        Matcher register = REGISTER.matcher(operand);
        if (register.matches()) {
            return register.group(1) + "[" + register.group(2) + "]";
        }
        if (operand.startsWith("!")) {
            return "!" + value(operand.substring(1));
        }
        if (operand.matches("-?\\d+")) {
            return "((u64)(" + operand + "LL))";
        }
        if (operand.matches("\\w+")) {
            return "(u64)" + operand;
        }
        throw new IllegalArgumentException("no operand: " + operand);
    }
}
