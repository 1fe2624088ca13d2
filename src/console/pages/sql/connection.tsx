import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Banner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';

/** Connection details for `psql`, notebooks and BI tools. */
export function Connection() {
  const loaded = useLoad('connection', (signal) => read(api.GET('/v1/sql/connection', { signal })));
  return (
    <Section
      title="Connect a program"
      lead="psql, notebooks and BI tools read the same views with a database login."
    >
      <WhenLoaded loaded={loaded}>{(connection) => <ConnectionDetails connection={connection} />}</WhenLoaded>
    </Section>
  );
}

function ConnectionDetails({ connection }: { readonly connection: Body<'SqlConnection'> }) {
  const { ready, problem, login, hint, operator_hint: operatorHint, is_local: isLocal } = connection;
  return (
    <>
      {!ready && problem !== null && (
        <Banner kind="warning">
          <p>{problem}</p>
        </Banner>
      )}
      {login === null ? (
        <p>This account has no database login yet.</p>
      ) : (
        <>
          <pre tabIndex={0} aria-label="Connection command">
            <code>{`psql "${login.url}"`}</code>
          </pre>
          <CopyButton text={`psql "${login.url}"`} what="Connection command" />
          <p class="hint">psql asks for the password, which was shown once when the login was created.</p>
        </>
      )}
      {isLocal && <p class="hint">The database accepts connections only from its own machine.</p>}
      <p class="hint">{hint}</p>
      {operatorHint !== null && <p class="hint">{operatorHint}</p>}
    </>
  );
}
