import { listOperations, type Document, type Operation, type Parameter } from '../../openapi/document.ts';
import { code, joinParts, markdownTable, pageHead, sentence } from './markdown-page.ts';
import { constraintsOf, fieldsOf, typeOf, type DescribedSchema } from './schema-fields.ts';

/** Contents of docs/reference/http-api.md, from the OpenAPI document. */
export function httpApiPage(document: Document): string {
  const operations = listOperations(document);
  return joinParts([
    pageHead('HTTP API', intro),
    ...document.tags.flatMap(({ name, description = '' }) => [
      `## ${name}`,
      description,
      ...operations.filter(({ reported }) => reported.tags?.[0] === name).map(operationPart),
    ]),
    '## Schemas',
    ...Object.entries(document.components.schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => schemaPart(name, schema)),
  ]);
}

const intro = `Your server describes these operations under \`/docs\`; \`/openapi.json\`, which is also [in this folder](../openapi.json), describes them for
programs. [The guide](../guides/http-api.md) has the first steps. Send an API key in the header \`X-API-Key\` unless an operation says otherwise.
Every operation can also respond with the errors that it lists, in [one form](errors.md).`;

function operationPart({ method, path, reported, isGuarded, isOfSession }: Operation): string {
  return joinParts([
    `### ${method} ${path}`,
    sentence(reported.summary ?? ''),
    reported.description ?? '',
    isGuarded ? '' : accessText(isOfSession),
    parameterTable(reported.parameters ?? []),
    reported.requestBody === undefined ? '' : bodyList('Request body', reported.requestBody.content),
    ...Object.entries(reported.responses ?? {})
      .filter(([status]) => Number(status) < 400)
      .map(([status, { description, content }]) => bodyList(`${status}: ${description}`, content ?? {})),
    errorList(reported.responses ?? {}),
  ]).trimEnd();
}

function accessText(isOfSession: boolean): string {
  return isOfSession ? 'Needs the session of a signed-in user; no key will do.' : 'Needs no key.';
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  return markdownTable(
    ['Parameter', 'In', 'Type', 'Meaning'],
    parameters.map(({ name, in: where, required = false, schema }) => [
      code(name),
      where,
      typeOf(schema),
      [
        required ? 'Required.' : '',
        sentence((schema as DescribedSchema).description ?? ''),
        constraintsOf(schema),
      ]
        .filter((part) => part !== '')
        .join(' '),
    ]),
  );
}

type Content = NonNullable<Operation['reported']['requestBody']>['content'];

function bodyList(title: string, content: Content): string {
  const bodies = Object.entries(content).map(([type, { schema }]) => {
    if (schema === undefined) return code(type);
    const { description = '' } = schema as DescribedSchema;
    const shown = schema.type === 'string' ? '' : `: ${typeOf(schema)}`;
    return `${code(type)}${shown}${description === '' ? '' : `. ${sentence(description)}`}`;
  });
  return [
    `**${title.replace(/\.$/, '')}**`,
    ...(bodies.length === 0 ? [] : ['']),
    ...bodies.map((body) => `- ${body}`),
  ].join('\n');
}

/** Links to the errors of an operation. Their descriptions in the document begin with their codes. */
function errorList(responses: NonNullable<Operation['reported']['responses']>): string {
  const codes = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { description }]) => [...description.matchAll(/`(\w+)`: /g)].map((match) => match[1] ?? ''));
  if (codes.length === 0) return '';
  return `Errors: ${[...new Set(codes)].map((each) => `[${code(each)}](errors.md#${each})`).join(', ')}.`;
}

function schemaPart(name: string, schema: DescribedSchema): string {
  const parts = schema.allOf ?? schema.anyOf ?? [];
  return joinParts([
    `### ${name}`,
    sentence(schema.description ?? ''),
    ...(parts.length === 0 || schema.properties !== undefined ? [valuePart(schema)] : []),
    ...parts.map((part, i) => {
      if (part.$ref !== undefined) return `All fields of ${typeOf(part)}, and:`;
      if (part.properties === undefined && part.required !== undefined)
        return `${i === 0 ? 'Send' : 'or'} ${part.required.map(code).join(' and ')}.`;
      return joinParts([schema.anyOf !== undefined && i > 0 ? 'or:' : '', valuePart(part)]).trimEnd();
    }),
  ]).trimEnd();
}

function valuePart(schema: DescribedSchema): string {
  const fields = fieldsOf(schema);
  return fields.length === 0
    ? `Type: ${typeOf(schema)}. ${constraintsOf(schema)}`.trim()
    : fieldTable(fields);
}

function fieldTable(fields: ReturnType<typeof fieldsOf>): string {
  return markdownTable(
    ['Field', 'Type', 'Meaning'],
    fields.map(({ path, type, isRequired, meaning }) => [
      code(path),
      isRequired ? type : `${type}, optional`,
      meaning,
    ]),
  );
}
