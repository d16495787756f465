// @chunk token-list: of pages that few open, and of the settings.
import { powersText } from '@gantry/api/people/token-scope.rules'
import { browserName } from '#/features/sessions/browser-name.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/data/column.ts'
import { RelativeTime } from '#/ui/data/DateTime.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { Expiry } from './Expiry.tsx'
import type { TokenDetails } from './queries.ts'

const scopeText = ({ scope }: TokenDetails): string =>
  scope ? powersText(scope.powers) : 'Everything that you may do'

function whereText({ scope }: TokenDetails): string {
  if (!scope?.projects) return 'All projects'
  const gone = scope.projects.filter(({ name }) => name === null).length
  const names = scope.projects.flatMap(({ name }) => name ?? [])
  return [...names, ...(gone > 0 ? [`${gone} gone`] : [])].join(', ')
}

export const tokenColumns: Column<TokenDetails>[] = [
  {
    id: 'name',
    header: 'Name',
    part: 'name',
    cell: ({ id, name, description }) =>
      name === null ? (
        <CopyableId id={id} max={36} />
      ) : (
        <span>
          <span className="font-medium text-strong">{name}</span>
          {description && <span className="block text-sm text-muted">{description}</span>}
        </span>
      ),
  },
  { id: 'scope', header: 'May', part: 'meta', cell: scopeText },
  { id: 'where', header: 'Where', part: 'meta', cell: whereText },
  {
    id: 'used',
    header: 'Last used',
    part: 'meta',
    isLabelled: true,
    cell: ({ timeLastUsed }) =>
      timeLastUsed ? <RelativeTime value={timeLastUsed} caption="Last used" ago /> : 'Not yet',
  },
  {
    id: 'from',
    header: 'From',
    part: 'meta',
    cell: ({ lastAddress, lastUserAgent }) =>
      lastAddress ? (
        <span>
          <span className="font-mono text-[0.8125rem]">{lastAddress}</span>{' '}
          <span className="text-muted">{clientName(lastUserAgent)}</span>
        </span>
      ) : (
        <EmptyCell />
      ),
  },
  {
    id: 'expires',
    header: 'Expires',
    part: 'meta',
    cell: ({ timeExpires }) => <Expiry value={timeExpires} />,
  },
]

/** `curl/8.14.1` as `curl 8.14.1`; a browser by its name. */
function clientName(userAgent: string | null): string {
  if (!userAgent) return ''
  if (userAgent.startsWith('Mozilla/')) return browserName(userAgent)
  return (userAgent.split(' ')[0] ?? '').replace('/', ' ')
}
