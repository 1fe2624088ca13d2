import { controlDomains, type NameServerState } from '../../core/emails/domains/name-server.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

const name = 'name servers';
const setOthers =
  'Sign in to the network if it asks for that, or set NIGHTSHIFT_DNS_SERVERS to a resolver that resolves all of the internet.';

/**
 * Says of each name server whether it tells of what there is and of nothing else. One that does not is a problem only where email
 * addresses are known to matter, and not beside one that does: nothing else depends on name servers of the open internet.
 */
export function evaluateNameServers(
  evaluated: readonly { readonly server: string; readonly state: NameServerState }[],
  { doAddressesMatter }: { readonly doAddressesMatter: boolean },
): readonly Finding[] {
  if (evaluated.length === 0)
    return [warning(name, 'none is set up: no mail domain can be looked up', setOthers)];
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
    ? 'Nightshift does not ask it, for another one tells the truth.'
    : 'Until that is right, all email addresses stay unknown: none is called invalid, and none is charged.';
  const bad = isAnyHonest || !doAddressesMatter ? warning : problem;
  switch (state.kind) {
    case 'honest':
      return ok(name, `${server} resolves names that exist, and no others`);
    case 'denies_domains':
      return bad(
        name,
        `${server} does not resolve ${listed(controlDomains)}, all of which exist`,
        `${effect} ${setOthers}`,
      );
    case 'forges_mail':
      return bad(
        name,
        `${server} gives mail servers for domains that do not exist`,
        `${effect} ${setOthers}`,
      );
    case 'forges_addresses':
      return warning(
        name,
        `${server} gives addresses for names that do not exist`,
        isAnyHonest
          ? `${effect} ${setOthers}`
          : `Email addresses of domains without MX records stay unknown. Set NIGHTSHIFT_DNS_SERVERS to a resolver that does not do that.`,
      );
    case 'silent':
      return warning(
        name,
        state.reason === 'dns_timeout'
          ? `${server} does not answer in time`
          : `${server} answers with a failure, or cannot be reached`,
        isAnyHonest
          ? 'Nightshift does not ask it, for another one answers. Take it out of NIGHTSHIFT_DNS_SERVERS or the settings of the machine.'
          : 'Email addresses stay unknown. Check the network, or set NIGHTSHIFT_DNS_SERVERS.',
      );
  }
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
