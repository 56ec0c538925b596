"""A model file of Tumble as plain JSON: every expression a number, so that any language reads it without an evaluator."""
import ast
import math
import operator
import re

NAMES = {"pi": math.pi, "e": math.e}
FUNCTIONS = {name: getattr(math, name) for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "hypot")}
FUNCTIONS["abs"] = abs
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow,
             ast.USub: operator.neg, ast.UAdd: operator.pos}
# Fields whose text is a name or a word, never an expression.
WORDS = {"title", "type", "law", "kind", "between", "of", "body", "beam", "joint", "force", "system", "quantities", "motion", "dimension",
         "formulation", "kernel", "series", "method", "quantity", "variables", "locked", "probe", "axis_name", "likelihood"}


def evaluate(text, constants):
    """The number that an expression of constants stands for; None if it is none."""
    try:
        tree = ast.parse(re.sub(r"\^", "**", text), mode="eval").body
    except SyntaxError:
        return None

    def value(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name):
            return constants[node.id] if node.id in constants else NAMES[node.id]
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.UnaryOp):
            return OPERATORS[type(node.op)](value(node.operand))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return FUNCTIONS[node.func.id](*[value(argument) for argument in node.args])
        raise KeyError(ast.dump(node))
    try:
        return value(tree)
    except (KeyError, TypeError):
        return None


def resolved(node, constants, field=""):
    """The same with numbers in place of expressions. Numbers that YAML 1.1 reads as text, as 1e9, are numbers here too."""
    if isinstance(node, dict):
        return {str(key): resolved(value, constants, str(key)) for key, value in node.items()}
    if isinstance(node, list):
        return [resolved(value, constants, field) for value in node]
    if isinstance(node, str) and field not in WORDS:
        number = evaluate(node, constants)
        if number is not None:
            return float(number)
        if field != "axis" and field not in ("x", "y", "z", "rx", "ry", "rz") and re.fullmatch(r"[0-9+*/^() .eE-]+", node):
            raise ValueError(f"{field}: '{node}'")
    return node


def neutral(model):
    """Of the model as read from YAML."""
    constants = {}
    for name, value in (model.get("constants") or {}).items():
        constants[name] = float(evaluate(value, constants) if isinstance(value, str) else value)
    out = resolved({key: value for key, value in model.items() if key != "constants"}, constants)
    out["units"] = "SI: m, kg, s, N, rad"
    out["axes"] = "ground axes at t = 0; inertia about the centre of mass in body axes, which are parallel to the ground's at t = 0"
    return out
