import type { PostgresType, ResultColumn } from './describe-statement.ts';
import type { DeclaredColumn, StatementDriver, ValueKind } from './list-statements.ts';

/** Describes how a declared row differs from the columns of its statement: a missing column, or one of another type. */
export function compareRow(
  declared: readonly DeclaredColumn[],
  columns: readonly ResultColumn[],
  types: ReadonlyMap<number, PostgresType>,
  driver: StatementDriver,
): readonly string[] {
  return declared.flatMap(({ name, kinds, isOptional }) => {
    const column = columns.find((each) => each.name === name);
    if (column === undefined) return isOptional ? [] : [`has no column ${name}`];
    const type = types.get(column.typeId);
    if (type === undefined) throw new Error(`Postgres has no type ${column.typeId}.`);
    const kind = kindOf(type, driver);
    const isAllowed = kinds.every((each) => each === 'any' || (kind === 'json' ? true : each === kind));
    return isAllowed ? [] : [`reads ${type.name} ${name} as ${kinds.join(' or ')}`];
  });
}

const kindOfType: Readonly<Record<string, ValueKind | 'json'>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  bytea: 'bytes',
  json: 'json',
  jsonb: 'json',
};

/** Kind of value that node-postgres returns for a type; unknown types stay text. */
function kindOf({ name, isArray }: PostgresType, driver: StatementDriver): ValueKind | 'json' {
  const isTime = /^_?(timestamptz|timestamp|date)$/.test(name);
  if (driver === 'drizzle' && (isTime || /^_?interval$/.test(name))) return 'text';
  if (isArray) return 'array';
  if (isTime) return 'date';
  return kindOfType[name] ?? 'text';
}
