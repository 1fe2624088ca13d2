import { html } from 'hono/html';
import type { OpenApiDocument } from './openapi.ts';
import { page, type Html } from './page.ts';

/** Parts of a schema that the page shows: a subset of the types of the library. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
}
interface Content {
  readonly [mediaType: string]: { readonly schema?: Schema };
}
interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}
interface RoutedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Creates the reference page of the API: every route with its parameters, bodies and responses, and every schema once. */
export function docsPage(document: OpenApiDocument): Html {
  const operations = listOperations(document);
  const schemas = Object.entries((document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>);
  return page(
    `${document.info.title} API`,
    html`<h1>${document.info.title} API ${document.info.version}</h1>
      ${(document.info.description ?? '').split('\n\n').map((text) => html`<p>${text}</p>`)}
      <p><a href="/openapi.json">OpenAPI 3.1</a></p>
      <nav>
        ${(document.tags ?? []).map(
          (tag) =>
            html`<h2>${tag.name}</h2>
              <p class="quiet">${tag.description}</p>
              <ul>
                ${operations
                  .filter(({ tags }) => tags?.includes(tag.name))
                  .map(
                    (each) =>
                      html`<li>
                        <a href="#${anchorOf(each)}">${each.summary}</a>
                        <code>${each.method} ${each.path}</code>
                      </li>`,
                  )}
              </ul>`,
        )}
      </nav>
      ${operations.map(operationSection)}
      <section>
        <h2>Schemas</h2>
        ${schemas.map(
          ([name, schema]) =>
            html`<h3 id="schema-${name}">${name}</h3>
              ${schemaTable(schema)}`,
        )}
      </section>`,
  );
}

function listOperations({ paths }: OpenApiDocument): readonly RoutedOperation[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

function anchorOf({ method, path }: RoutedOperation): string {
  return `${method}${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function operationSection(operation: RoutedOperation): Html {
  const { method, path, summary, description, parameters, requestBody, responses } = operation;
  return html`<section id="${anchorOf(operation)}">
    <h2>${summary}</h2>
    <p><span class="method">${method}</span> <code>${path}</code></p>
    <p>${description}</p>
    ${parameters === undefined || parameters.length === 0 ? '' : parameterTable(parameters)}
    ${
      requestBody === undefined
        ? ''
        : html`<h3>Request body</h3>
            ${contentList(requestBody.content)}`
    }
    <h3>Responses</h3>
    ${Object.entries(responses).map(
      ([status, response]) =>
        html`<details ${status.startsWith('2') ? 'open' : ''}>
          <summary><strong>${status}</strong> ${response.description}</summary>
          ${response.content === undefined ? '' : contentList(response.content)}
        </details>`,
    )}
  </section>`;
}

function parameterTable(parameters: NonNullable<Operation['parameters']>): Html {
  return html`<h3>Parameters</h3>
    <table>
      <tr>
        <th>Name</th>
        <th>In</th>
        <th>Type</th>
        <th>Description</th>
      </tr>
      ${parameters.map(
        (each) =>
          html`<tr>
            <td><code>${each.name}</code>${each.required === true ? ' *' : ''}</td>
            <td>${each.in}</td>
            <td>${typeText(each.schema ?? {})}</td>
            <td>${each.description ?? each.schema?.description ?? ''}</td>
          </tr>`,
      )}
    </table>`;
}

function contentList(content: Content): Html {
  return html`${Object.entries(content).map(
    ([mediaType, { schema }]) =>
      html`<p><code>${mediaType}</code>: ${typeText(schema ?? {})}</p>
        ${schema?.properties === undefined ? '' : schemaTable(schema)}`,
  )}`;
}

function schemaTable(schema: Schema): Html {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return html`<p>${typeText(schema)} ${schema.description ?? ''}</p>`;
  return html`<table>
    <tr>
      <th>Field</th>
      <th>Type</th>
      <th>Description</th>
    </tr>
    ${properties.map(
      ([name, property]) =>
        html`<tr>
          <td><code>${name}</code>${schema.required?.includes(name) === true ? ' *' : ''}</td>
          <td>${typeText(property)}</td>
          <td>${property.description ?? ''}</td>
        </tr>`,
    )}
  </table>`;
}

/** Formats the type of a value. A named schema is a link. */
function typeText(schema: Schema): Html | string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (parts !== undefined && schema.properties === undefined) {
    return html`${parts.map((part, i) => html`${i === 0 ? '' : ' or '}${typeText(part)}`)}`;
  }
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items !== undefined) return html`array of ${typeText(schema.items)}`;
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' or ') ?? 'any');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}
