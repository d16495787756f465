import CircleMinus from 'lucide-react/icons/circle-minus'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import type { Send } from '#/data/client.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { CreateLink, KindTable } from '#/kit/list/ResourceList.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import type { ListPage } from '#/kit/list/use-list-page.ts'
import { rangeColumns } from './columns.tsx'
import type { PoolRange } from './queries.ts'
import { rangeText, type RangeValues } from './range-text.ts'

interface Props {
  about: string
  list: ListPage<PoolRange>
  addLink: LinkTarget
  remove: (range: RangeValues, send?: Send) => Promise<unknown>
  /** Whether it can say first what it would do. */
  isPlanned?: boolean
}

/** The ranges of a pool. */
export function RangesTab({ about, list, addLink, remove, isPlanned = false }: Props) {
  const whyNot = useWhyNotOnFleet()
  const create = { link: addLink, label: 'Add range', verb: 'Add', whyNot }
  const actions: ActionsOf<PoolRange> = ({ range }) => [
    {
      label: 'Remove',
      icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      onSelect: () => confirmRemoval(range, isPlanned, (send) => remove(range, send)),
    },
  ]
  return (
    <>
      <TabHead actions={<CreateLink kind="range" create={create} />}>{about}</TabHead>
      <KindTable
        kind="range"
        label="IP ranges"
        list={list}
        columns={rangeColumns}
        actions={actions}
        create={create}
        empty={{ title: 'No IP ranges', text: 'Add a range to see it here' }}
      />
    </>
  )
}

function confirmRemoval(
  range: RangeValues,
  isPlanned: boolean,
  run: (send?: Send) => Promise<unknown>,
): void {
  const text = <strong className="font-mono">{rangeText(range)}</strong>
  confirmAction({
    title: 'Confirm remove range',
    content: (
      <>
        <p>Remove the range {text}? Its addresses are no longer given out.</p>
        <p>This fails while any of its addresses is in use.</p>
      </>
    ),
    kind: 'danger',
    pendingLabel: 'Removing',
    errorTitle: 'Could not remove range',
    success: <>IP range {text} removed</>,
    isPlanned,
    run: (_isForGood, send) => run(send),
  })
}
