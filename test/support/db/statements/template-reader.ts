import ts from 'typescript';

/** Thrown when the SQL text of a statement is known only at run time; the message is the reason. */
export class UnreadableStatement extends Error {}

/** Arguments of the function whose body is being read, by the symbol of the parameter. */
type Scope = ReadonlyMap<ts.Symbol, { readonly argument: ts.Expression | undefined; readonly scope: Scope }>;

const noScope: Scope = new Map();

/** Placeholder of a value in a text. */
const parameter = '\u0001';

/**
 * Reads SQL from a program without running it: templates of `sql`, and the constants, functions and parameters that they are
 * composed of. At a choice (a condition, several callers), each alternative is read once.
 */
export class TemplateReader {
  private readonly callers = new Map<ts.Node, ts.CallExpression[]>();
  /** Values of object members, by the declaration of the member. */
  private readonly members = new Map<ts.Node, ts.ObjectLiteralElementLike[]>();
  private readonly open: ts.Node[] = [];
  /** Templates that a statement contains. */
  readonly contained = new Set<ts.Node>();
  private readonly checker: ts.TypeChecker;
  /** Current choice: the caller of a function or the value of an object, and the branch of a condition. */
  private readonly chosen = { caller: 0, branch: 0 };
  private readonly alternatives = { caller: 1, branch: 1 };

  constructor(checker: ts.TypeChecker, programs: readonly ts.SourceFile[]) {
    this.checker = checker;
    for (const program of programs) this.index(program);
  }

  /**
   * Reads the texts of a statement: for each caller, one with the first branch everywhere, one with the second, and so on.
   *
   * @throws UnreadableStatement if all of them depend on values known only at run time.
   */
  readStatement(expression: ts.Expression): readonly string[] {
    const texts = new Set<string>();
    let failure: UnreadableStatement | null = null;
    const { chosen, alternatives } = this;
    Object.assign(alternatives, { caller: 1, branch: 1 });
    for (chosen.caller = 0; chosen.caller < alternatives.caller; chosen.caller++) {
      for (chosen.branch = 0; chosen.branch < alternatives.branch; chosen.branch++) {
        try {
          texts.add(this.readOnce(expression));
        } catch (error) {
          if (!(error instanceof UnreadableStatement)) throw error;
          failure = error;
        }
      }
    }
    if (texts.size === 0 && failure !== null) throw failure;
    return [...texts];
  }

  private readOnce(expression: ts.Expression): string {
    const pieces = this.isText(expression)
      ? this.text(expression, noScope)
      : this.fragment(expression, noScope);
    let count = 0;
    return pieces.replaceAll(parameter, () => `$${++count}`);
  }

  private index(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      const declaration = this.declarationOf(node.expression);
      if (declaration !== undefined) append(this.callers, declaration, node);
    }
    if (ts.isObjectLiteralExpression(node)) {
      const type = this.checker.getContextualType(node);
      for (const property of node.properties) {
        const member = property.name && type?.getProperty(property.name.getText())?.valueDeclaration;
        if (member !== undefined) append(this.members, member, property);
      }
    }
    ts.forEachChild(node, (child) => {
      this.index(child);
    });
  }

  /** Declaration of a called name; of the member if it was destructured. */
  private declarationOf(node: ts.Node): ts.Node | undefined {
    const declaration = this.symbolOf(node)?.valueDeclaration;
    if (declaration === undefined || !ts.isBindingElement(declaration)) return declaration;
    const type = this.checker.getTypeAtLocation(declaration.parent);
    return type.getProperty((declaration.propertyName ?? declaration.name).getText())?.valueDeclaration;
  }

  /** SQL of an expression of Drizzle's type `SQL`; of any other expression, the placeholder of a value. */
  private fragment(given: ts.Expression, scope: Scope): string {
    const node = bare(given);
    if (ts.isTaggedTemplateExpression(node)) {
      this.contained.add(node);
      return this.template(node.template, scope);
    }
    if (ts.isConditionalExpression(node))
      return this.fragment(this.choose([node.whenTrue, node.whenFalse]), scope);
    if (ts.isBinaryExpression(node)) return this.fragment(this.choose([node.left, node.right]), scope);
    if (this.isNamed(node, 'Name')) return '"a name"';
    if (node.kind === ts.SyntaxKind.NullKeyword && this.open.length > 0) throw unreadable(node);
    if (!this.isNamed(given, 'SQL')) return this.value(node);
    if (ts.isCallExpression(node)) return this.call(node, scope);
    return this.resolve(node, scope, (target, inner) => this.fragment(target, inner));
  }

  private template(template: ts.TemplateLiteral, scope: Scope): string {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
    const spans = template.templateSpans.map(
      ({ expression, literal }) => this.fragment(expression, scope) + literal.text,
    );
    return template.head.text + spans.join('');
  }

  /** Drizzle expands an array to a list of values in parentheses. */
  private value(node: ts.Expression): string {
    const type = this.checker.getTypeAtLocation(node);
    return this.checker.isArrayType(type) || this.checker.isTupleType(type) ? `(${parameter})` : parameter;
  }

  private call(node: ts.CallExpression, scope: Scope): string {
    const [first, second] = node.arguments;
    switch (node.expression.getText()) {
      case 'sql.param':
        return parameter;
      case 'sql.raw':
        return this.text(required(first), scope);
      case 'sql.join':
        return this.elements(required(first), scope).join(this.fragment(required(second), scope));
      default:
        return this.resolve(node, scope, (target, inner) => this.fragment(target, inner));
    }
  }

  /** Fragments of an array. */
  private elements(expression: ts.Expression, scope: Scope): readonly string[] {
    const node = bare(expression);
    if (ts.isArrayLiteralExpression(node)) {
      return node.elements.flatMap((element) =>
        ts.isSpreadElement(element)
          ? this.elements(element.expression, scope)
          : [this.fragment(element, scope)],
      );
    }
    if (ts.isConditionalExpression(node)) {
      return this.elements(this.choose([node.whenTrue, node.whenFalse]), scope);
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [first] = node.arguments;
      if (node.expression.name.text === 'filter') return this.elements(node.expression.expression, scope);
      if (node.expression.name.text === 'values') return this.values(required(first), scope);
      if (node.expression.name.text === 'map')
        return this.mapped(node.expression.expression, required(first), scope);
    }
    return this.resolve(node, scope, (target, inner) => this.elements(target, inner));
  }

  /** Each element of an array through a function; if the elements are unknown, the function's result once. */
  private mapped(list: ts.Expression, by: ts.Expression, scope: Scope): readonly string[] {
    const map = this.functionOf(by, scope);
    const items = this.itemsOrNone(list, scope);
    if (items.length === 0) return [this.fragment(this.result(map), scope)];
    return items.map((item) => this.fragment(this.result(map), this.bind(map, [item], scope)));
  }

  private itemsOrNone(list: ts.Expression, scope: Scope): readonly ts.Expression[] {
    try {
      return this.items(list, scope);
    } catch (error) {
      if (error instanceof UnreadableStatement) return [];
      throw error;
    }
  }

  private items(expression: ts.Expression, scope: Scope): readonly ts.Expression[] {
    const node = bare(expression);
    if (ts.isArrayLiteralExpression(node) && !node.elements.some(ts.isSpreadElement)) return node.elements;
    return this.resolve(node, scope, (target, inner) => this.items(target, inner));
  }

  private values(expression: ts.Expression, scope: Scope): readonly string[] {
    return this.resolve(expression, scope, (target, inner) => {
      const node = bare(target);
      if (!ts.isObjectLiteralExpression(node)) return this.values(node, inner);
      return node.properties
        .filter(ts.isPropertyAssignment)
        .map((each) => this.fragment(each.initializer, inner));
    });
  }

  /** A text that is part of the SQL unchanged. */
  private text(expression: ts.Expression, scope: Scope): string {
    const node = bare(expression);
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map((span) => this.text(span.expression, scope) + span.literal.text);
      return node.head.text + spans.join('');
    }
    if (ts.isIdentifier(node) && this.isBound(node, scope)) {
      return this.resolve(node, scope, (target, inner) => this.text(target, inner));
    }
    const type = this.checker.getTypeAtLocation(node);
    const literals = (type.isUnion() ? type.types : [type]).filter((each) => each.isStringLiteral());
    if (literals.length > 0) return this.choose(literals).value;
    if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return '1';
    if (ts.isCallExpression(node) && node.expression.getText() === 'String') return '1';
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      return this.text(node.left, scope) + this.text(node.right, scope);
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [first] = node.arguments;
      if (node.expression.name.text === 'escapeLiteral') return "'a text'";
      if (node.expression.name.text === 'join') {
        return this.texts(node.expression.expression, scope).join(this.text(required(first), scope));
      }
    }
    return this.resolve(node, scope, (target, inner) => this.text(target, inner));
  }

  private texts(expression: ts.Expression, scope: Scope): readonly string[] {
    const node = bare(expression);
    if (ts.isArrayLiteralExpression(node)) return node.elements.map((element) => this.text(element, scope));
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: list, name } = node.expression;
      const [first] = node.arguments;
      if (name.text === 'split') return this.text(list, scope).split(this.text(required(first), scope));
      if (name.text === 'map') {
        const map = this.functionOf(required(first), scope);
        return this.texts(list, scope).map((text) =>
          this.text(this.result(map), this.bind(map, [ts.factory.createStringLiteral(text)], scope)),
        );
      }
    }
    return this.resolve(node, scope, (target, inner) => this.texts(target, inner));
  }

  /** Resolves a name, a call or a member to its expression. */
  private resolve<T>(
    given: ts.Expression,
    scope: Scope,
    read: (target: ts.Expression, scope: Scope) => T,
  ): T {
    const node = bare(given);
    if (this.open.filter((each) => each === node).length > 2)
      throw new UnreadableStatement(`${node.getText()} is made of itself`);
    this.open.push(node);
    try {
      if (ts.isObjectLiteralExpression(node)) return read(node, scope);
      if (ts.isConditionalExpression(node)) return read(this.choose([node.whenTrue, node.whenFalse]), scope);
      if (ts.isIdentifier(node)) return this.name(node, scope, read);
      if (ts.isCallExpression(node)) return this.returned(node, scope, read);
      if (ts.isPropertyAccessExpression(node)) {
        return this.member(node.expression, node.name.text, scope, read);
      }
      if (ts.isElementAccessExpression(node)) return this.member(node.expression, null, scope, read);
      throw unreadable(node);
    } finally {
      this.open.pop();
    }
  }

  private name<T>(node: ts.Identifier, scope: Scope, read: (target: ts.Expression, scope: Scope) => T): T {
    const symbol = this.symbolOf(node);
    const declaration = symbol?.valueDeclaration;
    if (symbol === undefined || declaration === undefined) throw unreadable(node);
    if (ts.isVariableDeclaration(declaration) && declaration.initializer) {
      return read(declaration.initializer, scope);
    }
    if (ts.isVariableDeclaration(declaration) && ts.isForOfStatement(declaration.parent.parent)) {
      const list = bare(declaration.parent.parent.expression);
      if (ts.isArrayLiteralExpression(list)) return read(this.choose(list.elements), scope);
    }
    if (ts.isParameter(declaration)) {
      const { argument, scope: outer } = this.argument(declaration, symbol, scope);
      return read(argument, outer);
    }
    if (ts.isBindingElement(declaration)) return this.destructured(declaration, scope, read);
    throw unreadable(node);
  }

  /** Argument of a parameter: from the call that is being read, otherwise from one of the calls in the programs. */
  private argument(
    declaration: ts.ParameterDeclaration,
    symbol: ts.Symbol,
    scope: Scope,
  ): { readonly argument: ts.Expression; readonly scope: Scope } {
    const bound = scope.get(symbol);
    if (bound !== undefined) {
      const argument = bound.argument ?? declaration.initializer;
      if (argument === undefined) throw unreadable(declaration);
      return { argument, scope: bound.scope };
    }
    const callee = this.calleeOf(declaration.parent);
    const calls = callee === undefined ? [] : (this.callers.get(callee) ?? []);
    const index = declaration.parent.parameters.indexOf(declaration);
    const given = calls
      .map((call) => call.arguments[index] ?? declaration.initializer)
      .filter((each) => each !== undefined);
    if (given.length === 0) throw unreadable(declaration);
    return { argument: this.choose(given, 'caller'), scope: noScope };
  }

  private destructured<T>(
    declaration: ts.BindingElement,
    scope: Scope,
    read: (target: ts.Expression, scope: Scope) => T,
  ): T {
    const { initializer } = declaration;
    if (initializer === undefined) return this.taken(declaration, scope, read);
    try {
      return this.taken(declaration, scope, read);
    } catch (error) {
      if (!(error instanceof UnreadableStatement)) throw error;
      return read(initializer, scope);
    }
  }

  private taken<T>(
    declaration: ts.BindingElement,
    scope: Scope,
    read: (target: ts.Expression, scope: Scope) => T,
  ): T {
    const owner = declaration.parent.parent;
    const name = (declaration.propertyName ?? declaration.name).getText();
    if (ts.isVariableDeclaration(owner) && owner.initializer) {
      return this.member(owner.initializer, name, scope, read);
    }
    if (!ts.isParameter(owner)) throw unreadable(declaration);
    const symbol = this.checker.getSymbolAtLocation(owner.name) ?? (owner as { symbol?: ts.Symbol }).symbol;
    if (symbol === undefined) throw unreadable(declaration);
    const { argument, scope: outer } = this.argument(owner, symbol, scope);
    return this.member(argument, name, outer, read);
  }

  /** A member of an object literal; null stands for any member. */
  private member<T>(
    object: ts.Expression,
    name: string | null,
    scope: Scope,
    read: (target: ts.Expression, scope: Scope) => T,
  ): T {
    const node = bare(object);
    if (ts.isObjectLiteralExpression(node)) {
      const properties = node.properties.filter((each) => name === null || each.name?.getText() === name);
      const [spread] = node.properties.filter(ts.isSpreadAssignment);
      if (properties.length === 0 && spread) return this.member(spread.expression, name, scope, read);
      return this.property(this.choose(properties), scope, read);
    }
    if (name === null && isCallOf(node, 'map')) {
      return read(this.result(this.functionOf(required(node.arguments[0]), scope)), scope);
    }
    try {
      return this.resolve(node, scope, (target, inner) => this.member(target, name, inner, read));
    } catch (error) {
      // The object is unknown: choose one of the literals with that member.
      const member = name === null ? undefined : this.checker.getTypeAtLocation(node).getProperty(name);
      const written = member?.valueDeclaration && this.members.get(member.valueDeclaration);
      if (written === undefined) throw error;
      return this.property(this.choose(written, 'caller'), noScope, read);
    }
  }

  private property<T>(
    property: ts.ObjectLiteralElementLike,
    scope: Scope,
    read: (target: ts.Expression, scope: Scope) => T,
  ): T {
    if (ts.isPropertyAssignment(property)) return read(property.initializer, scope);
    if (!ts.isShorthandPropertyAssignment(property)) throw unreadable(property);
    const symbol = this.checker.getShorthandAssignmentValueSymbol(property);
    const declaration = symbol?.valueDeclaration;
    if (symbol !== undefined && declaration && ts.isParameter(declaration)) {
      const { argument, scope: outer } = this.argument(declaration, symbol, scope);
      return read(argument, outer);
    }
    if (declaration && ts.isVariableDeclaration(declaration) && declaration.initializer) {
      return read(declaration.initializer, scope);
    }
    if (declaration && ts.isBindingElement(declaration)) return this.destructured(declaration, scope, read);
    throw unreadable(property);
  }

  /** Result of a function of the project. */
  private returned<T>(
    call: ts.CallExpression,
    scope: Scope,
    read: (target: ts.Expression, scope: Scope) => T,
  ): T {
    const declaration = this.checker.getResolvedSignature(call)?.declaration;
    const isWritten = declaration !== undefined && 'body' in declaration;
    const called = isWritten ? declaration : this.functionOf(call.expression, scope);
    return read(this.result(called), this.bind(called, call.arguments, scope));
  }

  private bind(called: ts.FunctionLikeDeclaration, given: readonly ts.Expression[], scope: Scope): Scope {
    const inner = new Map(scope);
    for (const [index, each] of called.parameters.entries()) {
      const symbol = this.checker.getSymbolAtLocation(each.name) ?? (each as { symbol?: ts.Symbol }).symbol;
      if (symbol) inner.set(symbol, { argument: given[index], scope });
    }
    return inner;
  }

  private isBound(node: ts.Identifier, scope: Scope): boolean {
    const symbol = this.symbolOf(node);
    return symbol !== undefined && scope.has(symbol);
  }

  /** A function expression, inline or named. */
  private functionOf(expression: ts.Expression, scope: Scope): ts.FunctionLikeDeclaration {
    const node = bare(expression);
    if (ts.isFunctionLike(node)) return node;
    const declaration = this.symbolOf(node)?.valueDeclaration;
    if (declaration && ts.isFunctionDeclaration(declaration)) return declaration;
    return this.resolve(node, scope, (target, inner) => this.functionOf(target, inner));
  }

  /** An expression that it returns. */
  private result(node: ts.FunctionLikeDeclaration): ts.Expression {
    const { body } = node;
    if (body === undefined) throw unreadable(node);
    if (!ts.isBlock(body)) return body;
    const returns: ts.Expression[] = [];
    const visit = (each: ts.Node): void => {
      if (ts.isReturnStatement(each) && each.expression) returns.push(each.expression);
      if (!ts.isFunctionLike(each)) ts.forEachChild(each, visit);
    };
    visit(body);
    if (returns.length === 0) throw unreadable(node);
    return this.choose(returns);
  }

  /** Declaration through which a function is called. */
  private calleeOf(node: ts.SignatureDeclaration): ts.Node | undefined {
    const { parent } = node;
    if (!ts.isPropertyAssignment(parent)) return ts.isVariableDeclaration(parent) ? parent : node;
    const type = this.checker.getContextualType(parent.parent);
    return type?.getProperty(parent.name.getText())?.valueDeclaration;
  }

  private symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return isAlias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /** True if a value may be of this class. */
  private isNamed(node: ts.Expression, name: string): boolean {
    const type = this.checker.getTypeAtLocation(node);
    return (type.isUnion() ? type.types : [type]).some((each) => each.symbol?.name === name);
  }

  private isText(node: ts.Expression): boolean {
    return (this.checker.getTypeAtLocation(node).flags & ts.TypeFlags.StringLike) !== 0;
  }

  private choose<T>(alternatives: readonly T[], kind: 'caller' | 'branch' = 'branch'): T {
    this.alternatives[kind] = Math.max(this.alternatives[kind], alternatives.length);
    const chosen = alternatives[Math.min(this.chosen[kind], alternatives.length - 1)];
    if (chosen === undefined) throw new UnreadableStatement('nothing to choose from');
    return chosen;
  }
}

/** The expression without type assertions. */
function bare(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node);
  return isWrapped ? bare(node.expression) : node;
}

function isCallOf(node: ts.Expression, method: string): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === method
  );
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

function required(argument: ts.Expression | undefined): ts.Expression {
  if (argument === undefined) throw new UnreadableStatement('an argument is missing');
  return argument;
}

function unreadable(node: ts.Node): UnreadableStatement {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return new UnreadableStatement(`${node.getText().slice(0, 60)} at ${file.fileName}:${line + 1}`);
}
