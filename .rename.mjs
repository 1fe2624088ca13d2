// node rename.mjs rules.mjs [--write]  rules exports rename(name, file) -> new name or same
import ts from 'typescript'; import { execSync } from 'node:child_process'; import { readFileSync, writeFileSync } from 'node:fs'; import { pathToFileURL } from 'node:url';
const { rename } = await import(pathToFileURL(process.argv[2]));
const write = process.argv.includes('--write');
const files = execSync('git ls-files "*.ts" "*.tsx" "*.js"', { encoding: 'utf8' }).trim().split('\n').filter((f) => !f.includes('typescript-client/schema'));
const seen = new Map(); const clashes = []; const inText = []; let changedFiles = [];
for (const f of files) {
  const text = readFileSync(f, 'utf8');
  const sf = ts.createSourceFile(f, text, ts.ScriptTarget.Latest, true, f.endsWith('x') ? ts.ScriptKind.TSX : f.endsWith('.js') ? ts.ScriptKind.JS : ts.ScriptKind.TS);
  const edits = []; const names = new Set(); const olds = new Map();
  const visit = (n) => {
    if (ts.isIdentifier(n)) { names.add(n.text); const to = rename(n.text, f); if (to !== n.text) { edits.push([n.getStart(sf), n.text.length, to]); olds.set(n.text, to); seen.set(`${n.text} -> ${to}`, (seen.get(`${n.text} -> ${to}`) ?? 0) + 1); } }
    else if (ts.isLiteralTypeNode(n) && ts.isStringLiteral(n.literal)) { let p = n.parent; if (ts.isUnionTypeNode(p)) p = p.parent; if (ts.isTypeReferenceNode(p) && ['Pick', 'Omit'].includes(p.typeName.getText(sf)) || ts.isIndexedAccessTypeNode(p)) { const to = rename(n.literal.text, f); if (to !== n.literal.text) edits.push([n.literal.getStart(sf) + 1, n.literal.text.length, to]); } }
    ts.forEachChild(n, visit);
  };
  visit(sf);
  for (const [o, t] of olds) if (names.has(t)) clashes.push(`${f}: ${o} -> ${t}`);
  const lits = []; const v2 = (n) => { if (ts.isNoSubstitutionTemplateLiteral(n) || ts.isTemplateHead(n) || ts.isTemplateMiddle(n) || ts.isTemplateTail(n)) lits.push(n.text); ts.forEachChild(n, v2); }; v2(sf);
  if (/^(db|test\/support|src)/.test(f)) for (const [o] of olds) if (lits.some((l) => new RegExp(`\\b${o}\\b`).test(l) && /\b(SELECT|FROM|WHERE|AS)\b/.test(lits.join(' ')))) inText.push(`${f}: ${o}`);
  // comments: PascalCase or camelCase with a hump
  let out = text; edits.sort((a, b) => b[0] - a[0]); for (const [at, len, to] of edits) out = out.slice(0, at) + to + out.slice(at + len);
  if (out !== text) { changedFiles.push(f); if (write) writeFileSync(f, out); }
}
if (!process.argv.includes('-q')) for (const [k, n] of [...seen].sort()) console.log(k, n);
console.log('CLASHES', clashes.length); for (const c of clashes) console.log('  ', c);
console.log('IN SQL TEXT', inText.length); for (const c of inText) console.log('  ', c);
if (write) writeFileSync('/tmp/renamed.txt', changedFiles.join('\n'));
