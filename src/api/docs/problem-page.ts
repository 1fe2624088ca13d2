import { html } from 'hono/html';
import { problemKinds, type ProblemCode } from '../http/problem.ts';
import { page, type Html } from './page.ts';

/** Renders the page of an error, at the URL of its `type`: its cause and remedy. */
export function problemPage(code: ProblemCode): Html {
  const { status, title, when, remedy } = problemKinds[code];
  const others = Object.entries(problemKinds);
  return page(
    `${code} – Nightshift`,
    html`<p class="quiet">HTTP ${status}</p>
      <h1><code>${code}</code></h1>
      <p>${title}.</p>
      <p>${when}</p>
      <p>${remedy}</p>
      <section>
        <h2>All errors</h2>
        <table>
          <tr>
            <th>Status</th>
            <th>Code</th>
            <th>Title</th>
          </tr>
          ${others.map(
            ([name, kind]) =>
              html`<tr>
                <td>${kind.status}</td>
                <td>
                  <a href="/errors/${name}"><code>${name}</code></a>
                </td>
                <td>${kind.title}.</td>
              </tr>`,
          )}
        </table>
        <p><a href="/docs">API documentation</a></p>
      </section>`,
  );
}
