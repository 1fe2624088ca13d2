import { surelyThere, type NameServerState } from '../../core/emails/domains/name-server.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

const name = 'name servers';
const setOthers =
  'Sign in to the network if it has a login page, or set NIGHTSHIFT_DNS_SERVERS to a resolver for the whole internet.';

/**
 * Checks that each name server resolves existing names and no others. A failing one is a problem only if e-mail addresses matter and no
 * other server works: nothing else depends on name servers of the open internet.
 */
export function evaluateNameServers(
  evaluated: readonly { readonly server: string; readonly state: NameServerState }[],
  { doAddressesMatter }: { readonly doAddressesMatter: boolean },
): readonly Finding[] {
  if (evaluated.length === 0)
    return [warning(name, 'none configured: mail domains cannot be looked up', setOthers)];
  const isAnyHonest = evaluated.some(({ state }) => state.kind === 'honest');
  return evaluated.map(({ server, state }) =>
    evaluateNameServer(server, state, { isAnyHonest, doAddressesMatter }),
  );
}

function evaluateNameServer(
  server: string,
  state: NameServerState,
  { isAnyHonest, doAddressesMatter }: { readonly isAnyHonest: boolean; readonly doAddressesMatter: boolean },
): Finding {
  const effect = isAnyHonest
    ? 'Nightshift does not use it, because another server works.'
    : 'Until this is fixed, all e-mail addresses stay unknown: none is reported as invalid, and none is charged.';
  const bad = isAnyHonest || !doAddressesMatter ? warning : problem;
  switch (state.kind) {
    case 'honest':
      return ok(name, `${server} resolves names that exist, and no others`);
    case 'denies':
      return bad(
        name,
        `${server} does not resolve ${listed(surelyThere)}, all of which exist`,
        `${effect} ${setOthers}`,
      );
    case 'makes_up_mail':
      return bad(
        name,
        `${server} returns mail servers for domains that do not exist`,
        `${effect} ${setOthers}`,
      );
    case 'makes_up_addresses':
      return warning(
        name,
        `${server} returns addresses for names that do not exist`,
        isAnyHonest
          ? `${effect} ${setOthers}`
          : `E-mail addresses of domains without MX records stay unknown. Set NIGHTSHIFT_DNS_SERVERS to another resolver.`,
      );
    case 'silent':
      return warning(
        name,
        state.reason === 'dns_timeout'
          ? `${server} does not answer in time`
          : `${server} answers with an error, or is unreachable`,
        isAnyHonest
          ? 'Nightshift does not use it, because another server answers. Remove it from NIGHTSHIFT_DNS_SERVERS or from the settings of the machine.'
          : 'E-mail addresses stay unknown. Check the network, or set NIGHTSHIFT_DNS_SERVERS.',
      );
  }
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
