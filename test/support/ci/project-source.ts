import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../../src/package-root.ts';

/** A TypeScript file of the project, with the properties that its text shows. */
export interface SourceFile {
  /** Path from the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Properties of `process` that it uses. */
  readonly processUses: readonly string[];
  /** Uses that bypass the HTTP client: the global `fetch`, and request functions of Node's modules. */
  readonly httpUses: readonly string[];
  readonly hasDefaultExport: boolean;
  readonly hasAny: boolean;
  /** Identifiers in snake_case. */
  readonly snakeNames: readonly string[];
}

/** Lists the files that git tracks at these paths or patterns, relative to the project's root, without deleted ones. */
export function trackedFiles(...patterns: readonly string[]): readonly string[] {
  return execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: packageRoot, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(packageRoot, path)));
}

/** Reads every TypeScript file below these folders, except for the settings of tools. */
export function readSourceFiles(folders: readonly string[]): readonly SourceFile[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.config.ts'))
    .sort()
    .map((path) => parseSourceFile(path, readFileSync(join(packageRoot, path), 'utf8')));
}

/** Parses the text of the file at `path`. */
export function parseSourceFile(path: string, text: string): SourceFile {
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const nodes = allNodes(parsed);
  return {
    path,
    text,
    processUses: unique(nodes.flatMap(processUse)),
    httpUses: unique([
      ...(nodes.some(declaresFetch) ? [] : nodes.flatMap(fetchUse)),
      ...nodes.flatMap(httpUse),
    ]),
    hasDefaultExport: nodes.some(isDefaultExport),
    hasAny: nodes.some((node) => node.kind === ts.SyntaxKind.AnyKeyword),
    snakeNames: unique(
      nodes.flatMap((node) => (ts.isIdentifier(node) && snakeCase.test(node.text) ? [node.text] : [])),
    ),
  };
}

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/;

function allNodes(node: ts.Node): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    nodes.push(child);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return nodes;
}

/** Detects `process.env` in any spelling: member access, index access, destructuring or import. */
function processUse(node: ts.Node): readonly string[] {
  if (ts.isPropertyAccessExpression(node) && isProcess(node.expression)) return [node.name.text];
  if (ts.isElementAccessExpression(node) && isProcess(node.expression)) {
    return [ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : '[…]'];
  }
  if (ts.isVariableDeclaration(node) && node.initializer !== undefined && isProcess(node.initializer)) {
    return ts.isObjectBindingPattern(node.name)
      ? node.name.elements.map((element) => (element.propertyName ?? element.name).getText())
      : ['[…]'];
  }
  if (ts.isImportDeclaration(node) && /^(node:)?process$/.test(literalText(node.moduleSpecifier))) {
    return namesImported(node);
  }
  return [];
}

function isProcess(node: ts.Node): boolean {
  return (
    (ts.isIdentifier(node) && node.text === 'process') ||
    (ts.isPropertyAccessExpression(node) && node.getText() === 'globalThis.process')
  );
}

function namesImported({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  if (importClause?.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings))
    return ['[…]'];
  return bindings.elements.map((element) => (element.propertyName ?? element.name).getText());
}

/** In a file that declares its own `fetch`, the name is not the global one. */
function declaresFetch(node: ts.Node): boolean {
  const declares =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isImportSpecifier(node);
  return declares && node.name?.getText() === 'fetch';
}

function fetchUse(node: ts.Node): readonly string[] {
  if (!ts.isIdentifier(node) || node.text !== 'fetch') return [];
  const { parent } = node;
  const isGlobal = ts.isPropertyAccessExpression(parent) && parent.expression.getText() === 'globalThis';
  const isName = 'name' in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent);
  return isGlobal || !isName ? ['fetch'] : [];
}

/** Detects `request` and `get` of `node:http` and `node:https`, `connect` of `node:http2`, and imports of a whole module. */
function httpUse(node: ts.Node): readonly string[] {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return node.arguments.some((name) => httpModule.test(literalText(name))) ? ['[…]'] : [];
  }
  const isImport = ts.isImportDeclaration(node) && httpModule.test(literalText(node.moduleSpecifier));
  if (!isImport || node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  return namesImported(node).filter((name) => ['request', 'get', 'connect', '[…]'].includes(name));
}

const httpModule = /^(node:)?(https?|http2)$/;

function literalText(node: ts.Expression): string {
  return ts.isStringLiteral(node) ? node.text : '';
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
