import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import Star from 'lucide-react/icons/star'
import StarOff from 'lucide-react/icons/star-off'
import Unlink from 'lucide-react/icons/unlink'
import type { Send } from '#/data/client.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import type { Names } from '#/kit/page/deferred.tsx'
import type { ActionsOf, RowAction } from '#/kit/list/row-menu.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { poolsOfSilo } from '../queries.ts'
import { type LinkRow, siloWord } from './link-rows.tsx'

/** The menu of a linked silo: default pool and unlinking. */
export function useLinkRowActions(pool: string, names: Names): ActionsOf<LinkRow> {
  const whyNot = useWhyNotOnFleet()
  const update = useOp(op.ipPoolSiloUpdate)
  const unlink = useOp(op.ipPoolSiloUnlink)

  const setDefault = (link: LinkRow, isDefault: boolean, send: Send | undefined) =>
    update.run({ path: { pool, silo: link.siloId }, body: { isDefault } }, send)

  function makeDefault(link: LinkRow): RowAction {
    const silo = siloWord(names, link)
    return {
      label: 'Make default',
      icon: <Star aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      onSelect: () =>
        confirmAction({
          title: 'Make default',
          content: <DefaultChange pool={pool} silo={silo} siloId={link.siloId} />,
          pendingLabel: 'Making default',
          errorTitle: 'Could not make pool the default',
          success: (
            <>
              IP pool <strong>{pool}</strong> is the default of silo <strong>{silo}</strong>
            </>
          ),
          isPlanned: true,
          run: (_isForGood, send) => setDefault(link, true, send),
        }),
    }
  }

  function clearDefault(link: LinkRow): RowAction {
    const silo = siloWord(names, link)
    return {
      label: 'Clear default',
      icon: <StarOff aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      onSelect: () =>
        confirmAction({
          title: 'Clear default',
          content: (
            <p>
              Silo <strong>{silo}</strong> will have no default pool. Requests that name no pool fail until
              another pool is made the default. The pool stays linked.
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Clearing default',
          errorTitle: 'Could not clear default',
          success: successMessage('Silo', silo, 'has no default IP pool now'),
          isPlanned: true,
          run: (_isForGood, send) => setDefault(link, false, send),
        }),
    }
  }

  return (link) => [
    link.isDefault ? clearDefault(link) : makeDefault(link),
    {
      label: 'Unlink',
      icon: <Unlink aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      onSelect: () => {
        const silo = siloWord(names, link)
        confirmAction({
          title: 'Confirm unlink silo',
          content: (
            <>
              <p>
                Are you sure you want to unlink silo <strong>{silo}</strong> from IP pool{' '}
                <strong>{pool}</strong>?
              </p>
              <p>
                Users of the silo can no longer choose this pool. This fails while they hold its addresses.
              </p>
            </>
          ),
          kind: 'danger',
          pendingLabel: 'Unlinking',
          errorTitle: 'Could not unlink silo',
          success: successMessage('Silo', silo, 'unlinked'),
          isPlanned: true,
          run: (_isForGood, send) => unlink.run({ path: { pool, silo: link.siloId } }, send),
        })
      },
    },
  ]
}

interface Props {
  pool: string
  silo: string
  siloId: string
}

/** Confirms that a pool becomes a silo's default; names the current default. */
function DefaultChange({ pool, silo, siloId }: Props) {
  const { data: pools } = useQuery(poolsOfSilo(siloId))
  const current = pools?.find(({ isDefault }) => isDefault)
  return (
    <>
      <p>
        Are you sure you want to make <strong>{pool}</strong> the default IP pool of silo{' '}
        <strong>{silo}</strong>?
      </p>
      {current && (
        <p>
          It replaces <strong>{current.name}</strong>, which stays linked.
        </p>
      )}
    </>
  )
}
