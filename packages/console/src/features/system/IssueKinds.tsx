import { PageLink } from '#/kit/links/PageLink.tsx'
import { classes } from '#/ui/classes.ts'
import { formatNumber, sentenceCase } from '#/ui/data/format.ts'
import type { SystemOverview } from './queries.ts'

/** How many issues of each kind are open, each number with the list behind it. */
export const IssueKinds = ({ issues, className }: Pick<SystemOverview, 'issues'> & { className: string }) => (
  <ul
    aria-label="Open issues by kind"
    className={classes('flex flex-wrap border-t px-3.5 text-sm', className)}
  >
    {issues
      .filter(({ count }) => count > 0)
      .map(({ kind, count }) => (
        <li key={kind}>
          <PageLink to="/system/issues" search={{ state: 'open', kind }} className="link">
            {sentenceCase(kind)}
          </PageLink>{' '}
          <span className="text-muted tabular-nums">{formatNumber(count)}</span>
        </li>
      ))}
  </ul>
)
