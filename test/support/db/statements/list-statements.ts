import { join, relative } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../../../src/package-root.ts';
import { TemplateReader, UnreadableStatement } from './template-reader.ts';

/** Driver whose parsing applies: Drizzle leaves timestamps, dates and intervals as text. */
export type StatementDriver = 'drizzle' | 'pg';

/** A column of the row type that a program declares for a statement. */
export interface DeclaredColumn {
  readonly name: string;
  /** True if some of the texts of a statement lack it. */
  readonly isOptional: boolean;
  /** Kinds of value that its type allows besides null. */
  readonly kinds: readonly ValueKind[];
}

export type ValueKind = 'text' | 'number' | 'boolean' | 'bytes' | 'date' | 'array' | 'object' | 'any';

/** A statement of the product. */
export interface Statement {
  /** `file:line`. */
  readonly at: string;
  readonly driver: StatementDriver;
  /** SQL texts, one for each way in which the program composes the statement. */
  readonly texts: readonly string[];
  /** Reason why the texts cannot be determined; null if they can. */
  readonly unreadable: string | null;
  /** Row type that the program declares; null if it reads no rows. */
  readonly row: readonly DeclaredColumn[] | null;
}

/** SQL outside of a readable statement, as a part for the query builder. */
export interface Fragment {
  /** `file:line`. */
  readonly at: string;
  /** SQL text, with a space for each value. */
  readonly text: string;
}

/** The SQL of the product. */
export interface ProductSql {
  readonly statements: readonly Statement[];
  readonly fragments: readonly Fragment[];
  /** Number of statements of the query builder. */
  readonly built: number;
}

/** Reads the SQL of `src`, `db` and `workers`, and the declared rows. */
export function readProductSql(): ProductSql {
  const config = ts.getParsedCommandLineOfConfigFile(join(packageRoot, 'tsconfig.json'), {}, host);
  if (config === undefined) throw new Error('tsconfig.json cannot be read.');
  const program = ts.createProgram(config.fileNames, config.options);
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter(isReadForSql);
  const reader = new TemplateReader(checker, files);
  const statements = files.flatMap((file) =>
    callsIn(file, checker).map((call) => readStatement(call, checker, reader)),
  );
  return {
    statements,
    fragments: files
      .flatMap((file) => templatesIn(file).filter((each) => !reader.contained.has(each)))
      .map(toFragment),
    built: files.reduce((sum, file) => sum + countBuilt(file, checker), 0),
  };
}

/** True for programs that can contain a statement or a part of one: all of `db`, and files that mention SQL. */
function isReadForSql({ fileName, isDeclarationFile, text }: ts.SourceFile): boolean {
  if (isDeclarationFile || fileName.includes('/node_modules/')) return false;
  return fileName.startsWith(join(packageRoot, 'db/')) || /\bsql`|\.(execute|query)[(<]/.test(text);
}

const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };

interface StatementCall {
  readonly node: ts.CallExpression;
  readonly argument: ts.Expression;
  readonly driver: StatementDriver;
}

function callsIn(file: ts.SourceFile, checker: ts.TypeChecker): readonly StatementCall[] {
  return nodesIn(file).flatMap((node): readonly StatementCall[] => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
    const [argument] = node.arguments;
    if (argument === undefined) return [];
    const method = node.expression.name.text;
    const type = checker.getTypeAtLocation(argument);
    if (method === 'execute' && isSql(type)) return [{ node, argument, driver: 'drizzle' }];
    const isTyped = (node.typeArguments?.length ?? 0) > 0;
    const isText = (type.flags & ts.TypeFlags.StringLike) !== 0;
    const isPrepared = isTyped || /stage|prepare/.test(argument.getText());
    return method === 'query' && isText && isPrepared ? [{ node, argument, driver: 'pg' }] : [];
  });
}

/** Counts calls that start a statement of the query builder. */
function countBuilt(file: ts.SourceFile, checker: ts.TypeChecker): number {
  return nodesIn(file).filter((node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const { name, expression } = node.expression;
    if (!/^(select|selectDistinct|insert|update|delete)$/.test(name.text)) return false;
    return checker.getTypeAtLocation(expression).getProperty('execute') !== undefined;
  }).length;
}

function templatesIn(file: ts.SourceFile): readonly ts.TaggedTemplateExpression[] {
  if (file.fileName.startsWith(join(packageRoot, 'db/schema/'))) return [];
  return nodesIn(file)
    .filter(ts.isTaggedTemplateExpression)
    .filter(({ tag }) => tag.getText() === 'sql');
}

function toFragment(node: ts.TaggedTemplateExpression): Fragment {
  const { template } = node;
  const texts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
  return { at: placeOf(node), text: texts.join(' ') };
}

function nodesIn(file: ts.SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return nodes;
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative(packageRoot, file.fileName)}:${line + 1}`;
}

function isSql(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).some((each) => each.symbol?.name === 'SQL');
}

function readStatement(
  { node, argument, driver }: StatementCall,
  checker: ts.TypeChecker,
  reader: TemplateReader,
): Statement {
  const at = placeOf(argument);
  const [typeNode] = node.typeArguments ?? [];
  const row = typeNode === undefined ? null : columnsOf(checker.getTypeFromTypeNode(typeNode), node, checker);
  try {
    return { at, driver, texts: reader.readStatement(argument), unreadable: null, row };
  } catch (error) {
    if (!(error instanceof UnreadableStatement)) throw error;
    return { at, driver, texts: [], unreadable: error.message, row };
  }
}

function columnsOf(type: ts.Type, at: ts.Node, checker: ts.TypeChecker): readonly DeclaredColumn[] {
  return type.getProperties().map((property) => ({
    name: property.name,
    isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
    kinds: kindsOf(checker.getTypeOfSymbolAtLocation(property, at), checker),
  }));
}

function kindsOf(type: ts.Type, checker: ts.TypeChecker): readonly ValueKind[] {
  const parts = type.isUnion() ? type.types : [type];
  return [...new Set(parts.flatMap((part) => kindOf(part, checker)))];
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): readonly ValueKind[] {
  const has = (flags: ts.TypeFlags) => (type.flags & flags) !== 0;
  if (has(ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return [];
  if (has(ts.TypeFlags.StringLike)) return ['text'];
  if (has(ts.TypeFlags.NumberLike)) return ['number'];
  if (has(ts.TypeFlags.BooleanLike)) return ['boolean'];
  if (has(ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return ['any'];
  if (type.symbol?.name === 'Date') return ['date'];
  if (/^(Buffer|Uint8Array)$/.test(type.symbol?.name ?? '')) return ['bytes'];
  return checker.isArrayType(type) || checker.isTupleType(type) ? ['array'] : ['object'];
}
