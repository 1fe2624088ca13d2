import type { Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { formatCounted } from '../../components/values.tsx';

type Candidate = Body<'SuggestedAdvertiser'>;

/** An advertiser that may be a company, with the evidence and the decisions. */
export function CandidateRow({
  candidate,
  isRunning,
  onDecide,
}: {
  readonly candidate: Candidate;
  readonly isRunning: boolean;
  readonly onDecide: (advertiserId: string, role: 'allow' | 'agency') => void;
}) {
  const { advertiser_id: id, advertiser_name: shown, legal_name: legal, url, source } = candidate;
  const { location, ads_count: ads, verification, confidence, reasons } = candidate;
  const name = shown ?? legal ?? id;
  const parts = [
    legal === null || legal === name ? null : `Legal name ${legal}`,
    location,
    verification?.toLowerCase() ?? null,
    ads === null ? null : formatCounted(ads, 'ad'),
    source,
  ];
  return (
    <>
      <div>
        <strong>{name}</strong> <Badge tone="plain">{`${Math.round(confidence * 100)}% likely own`}</Badge>
        <p class="small">{parts.filter((part) => part !== null && part !== '').join(' · ')}</p>
        <p class="quiet small">
          {url === null ? id : <OutsideLink href={url}>{id}</OutsideLink>}
          {reasons.map(({ code, words }) => (
            <span key={code}>{` · ${words}`}</span>
          ))}
        </p>
      </div>
      {can('batches:write') && (
        <div class="actions" role="group" aria-label={`Decision on ${name}`}>
          <button type="button" disabled={isRunning} onClick={() => onDecide(id, 'allow')}>
            Map
          </button>
          <button type="button" disabled={isRunning} onClick={() => onDecide(id, 'agency')}>
            Agency
          </button>
        </div>
      )}
    </>
  );
}
