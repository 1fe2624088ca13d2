import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Notice } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';

/** Connection for `psql`, a notebook or a BI tool. */
export function Connection() {
  const loaded = useLoad('connection', (signal) => read(api.GET('/v1/sql/connection', { signal })));
  return (
    <Section
      title="Connect with a program"
      lead="psql, notebooks and BI tools read the same views, by a login of the account’s own."
    >
      <WhenThere loaded={loaded}>{(connection) => <How connection={connection} />}</WhenThere>
    </Section>
  );
}

function How({ connection }: { readonly connection: Body<'SqlConnection'> }) {
  const { ready, problem, login, hint, operator_hint: operatorHint, is_local: isLocal } = connection;
  return (
    <>
      {!ready && problem !== null && (
        <Notice kind="warning">
          <p>{problem}</p>
        </Notice>
      )}
      {login === null ? (
        <p>This account has no login to the database yet.</p>
      ) : (
        <>
          <pre tabIndex={0} aria-label="The connection line">
            <code>{`psql "${login.url}"`}</code>
          </pre>
          <CopyButton text={`psql "${login.url}"`} what="Connection line" />
          <p class="hint">It asks for the password, which was shown once when the login was made.</p>
        </>
      )}
      {isLocal && (
        <p class="hint">
          The database takes connections from the machine that it runs on, and from nowhere else.
        </p>
      )}
      <p class="hint">{hint}</p>
      {operatorHint !== null && <p class="hint">{operatorHint}</p>}
    </>
  );
}
