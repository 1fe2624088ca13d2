import { DownloadLink } from '../../components/download-link.tsx';
import { Section } from '../../components/page.tsx';
import { ShareReport, type ReportSubject } from './share-report.tsx';

/** Report of a batch or a schedule: its download, and its links. */
export function ReportSection({ kind, id }: ReportSubject) {
  return (
    <Section title="Report" lead="One page with what is new, then charts and tables, in one file for people.">
      <div class="actions">
        <DownloadLink href={`/v1/${kind === 'batch' ? 'batches' : 'schedules'}/${id}/report`} isWhole>
          Download report
        </DownloadLink>
        <ShareReport kind={kind} id={id} />
      </div>
    </Section>
  );
}
