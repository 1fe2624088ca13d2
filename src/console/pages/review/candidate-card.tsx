import { useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Badge } from '../../components/badge.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { companyLabel } from '../../components/company.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCounted, Moment } from '../../components/values.tsx';

type Candidate = Body<'AdvertiserCandidate'>;
type Role = Body<'AdvertiserDecision'>['role'];

const decisions = [
  { role: 'allow', action: 'Accept', done: 'Own advertiser', tone: 'good' },
  { role: 'agency', action: 'Agency', done: 'Agency', tone: 'cool' },
  { role: 'deny', action: 'Deny', done: 'Not this company', tone: 'bad' },
] as const;

/** An advertiser that may belong to a company, with the evidence and the decisions. A decided one stays, so that it can be changed. */
export function CandidateCard({ candidate }: { readonly candidate: Candidate }) {
  const [role, setRole] = useState<Role | null>(null);
  const { advertiser_id: id, company_domain: domain, company_name: company } = candidate;
  const name = candidate.advertiser_name ?? candidate.legal_name ?? id;
  const action = useAction(async (wanted: Role) => {
    const subject = domain === null ? { company_name: company ?? '' } : { company_domain: domain };
    const body = { ...subject, advertiser_id: id, role: wanted };
    const { role: decided } = await read(api.POST('/v1/companies/decisions', { body }));
    setRole(decided);
    toast(`${name}: ${decisions.find((each) => each.role === decided)?.done ?? decided}`);
  });
  return (
    <article>
      <p>
        <State role={role} confidence={candidate.confidence} /> <strong>{companyLabel(candidate)}</strong>
      </p>
      <h3>{name}</h3>
      <Details candidate={candidate} />
      {can('batches:write') && (
        <div class="actions controls" role="group" aria-label={`Decision on ${name}`}>
          {decisions.map(({ role: each, action: label }) => (
            <button
              key={each}
              type="button"
              class={each === 'deny' ? 'danger' : undefined}
              aria-pressed={role === each}
              disabled={action.isRunning}
              onClick={() => action.run(each)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      <ErrorBanner error={action.error} />
    </article>
  );
}

function State({ role, confidence }: { readonly role: Role | null; readonly confidence: number }) {
  const decided = decisions.find((each) => each.role === role);
  if (decided !== undefined) return <Badge tone={decided.tone}>{decided.done}</Badge>;
  return <Badge tone="warm">{`${Math.round(confidence * 100)}% likely own`}</Badge>;
}

function Details({ candidate }: { readonly candidate: Candidate }) {
  const { advertiser_name: name, legal_name: legal, location, verification, ads_count: ads } = candidate;
  const { advertiser_id: id, url, source, last_seen_at: seen } = candidate;
  const parts = [
    legal === null || legal === name || name === null ? null : `Legal name ${legal}`,
    location,
    verification?.toLowerCase() ?? null,
    ads === null ? null : formatCounted(ads, 'ad'),
  ];
  return (
    <>
      <p>{parts.filter((part) => part !== null && part !== '').join(' · ')}</p>
      <ul>
        {candidate.reasons.map(({ code, words }) => (
          <li key={code}>{words}</li>
        ))}
      </ul>
      <p class="quiet small">
        {url === null ? id : <OutsideLink href={url}>{id}</OutsideLink>} · {source} · seen{' '}
        <Moment at={seen} />
      </p>
    </>
  );
}
