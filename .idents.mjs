import ts from 'typescript'; import { execSync } from 'node:child_process'; import { readFileSync } from 'node:fs';
const files = execSync('git ls-files "*.ts" "*.tsx"', { encoding: 'utf8' }).trim().split('\n').filter((f) => !f.includes('typescript-client/schema') && (!process.argv[3] || f.startsWith(process.argv[3])));
const re = new RegExp(process.argv[2]);
const count = new Map(); const where = new Map();
for (const f of files) {
  const sf = ts.createSourceFile(f, readFileSync(f, 'utf8'), ts.ScriptTarget.Latest, true, f.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const visit = (n) => { if (ts.isIdentifier(n) && re.test(n.text)) { count.set(n.text, (count.get(n.text) ?? 0) + 1); (where.get(n.text) ?? where.set(n.text, new Set()).get(n.text)).add(f); } ts.forEachChild(n, visit); };
  visit(sf);
}
for (const [k, v] of [...count].sort((a, b) => b[1] - a[1])) console.log(k, v, where.get(k).size);
