// @chunk token-list: of one page of the settings, which share their other code.
import * as op from '@gantry/api/client/operations.gen'
import { powersText } from '@gantry/api/people/token-scope.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { usePolling } from '#/data/live.ts'
import { useOp } from '#/data/use-op.ts'
import { browserName } from '#/features/sessions/browser-name.ts'
import { confirmAction, confirmDelete } from '#/kit/feedback/confirm.tsx'
import { ListPage, NewLink } from '#/kit/list/ListPage.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { Button } from '#/ui/Button.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/data/column.ts'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { RelativeTime } from '#/ui/data/DateTime.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Expiry } from './Expiry.tsx'
import { type TokenDetails, tokenDetails } from './queries.ts'

/** The stream does not tell of uses. */
const pollMs = 30_000

/** The caller's tokens, with what each may do and when it was last used. */
export function MadeTokens({ children }: { children?: React.ReactNode }) {
  const { data } = useSuspenseQuery({ ...tokenDetails, refetchInterval: usePolling(pollMs) })
  const actions = useTokenActions()
  const removeAll = useOp(op.accessTokenDeleteAll)
  return (
    <ListPage
      title="Access Tokens"
      docs={
        <DocsPopover topic="access tokens" page="access-tokens">
          Access tokens let scripts, command-line tools and other programs act as you. Make one here and
          choose what it may do, or approve a device with the code that it shows.
        </DocsPopover>
      }
      actions={
        <>
          <Button
            disabledReason={data.items.length === 0 ? 'There are no tokens' : undefined}
            onClick={() =>
              confirmAction({
                title: 'Confirm delete all access tokens',
                content: (
                  <p>
                    Every program that uses one of your tokens is refused from then on. Your browsers stay
                    signed in.
                  </p>
                ),
                kind: 'danger',
                confirmLabel: 'Delete all',
                pendingLabel: 'Deleting',
                errorTitle: 'Could not delete tokens',
                success: 'All access tokens deleted',
                run: () => removeAll.run({}),
              })
            }
          >
            Delete all
          </Button>
          <NewLink link={{ to: '/settings/access-tokens-new' }}>New token</NewLink>
        </>
      }
    >
      <Table
        label="Access Tokens"
        tall
        columns={columns}
        rows={data.items}
        rowKey={({ id }) => id}
        actions={actions}
        empty={
          <EmptyState title="No access tokens">
            Make a token for a script, or approve a device, to see it here.
          </EmptyState>
        }
      />
      {children}
    </ListPage>
  )
}

const scopeText = ({ scope }: TokenDetails): string =>
  scope ? powersText(scope.powers) : 'Everything that you may do'

function whereText({ scope }: TokenDetails): string {
  if (!scope?.projects) return 'All projects'
  const gone = scope.projects.filter(({ name }) => name === null).length
  const names = scope.projects.flatMap(({ name }) => name ?? [])
  return [...names, ...(gone > 0 ? [`${gone} gone`] : [])].join(', ')
}

const columns: Column<TokenDetails>[] = [
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

function useTokenActions(): (token: TokenDetails) => MenuEntry[] {
  const remove = useOp(op.currentUserAccessTokenDelete)
  return ({ id, name }) =>
    rowMenu(id, 'Copy ID', [
      {
        label: 'Delete',
        onSelect: () =>
          confirmDelete({
            kind: 'access token',
            name: name ?? id,
            gone: 'This cannot be undone. Programs that use it need a new token.',
            run: () => remove.run({ path: { tokenId: id } }),
          }),
      },
    ])
}
