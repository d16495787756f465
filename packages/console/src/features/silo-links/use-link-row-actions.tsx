import Star from 'lucide-react/icons/star'
import StarOff from 'lucide-react/icons/star-off'
import Unlink from 'lucide-react/icons/unlink'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { capitalise } from '@gantry/api/base/errors.rules'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import type { Names } from '#/kit/page/deferred.tsx'
import type { ActionsOf, RowAction } from '#/kit/list/row-menu.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { type LinkRow, siloWord } from './link-rows.tsx'
import { type PoolLinks, useLinkOps, useReplaced } from './pool-links.ts'

/** The menu of a linked silo: default pool and unlinking. */
export function useLinkRowActions(links: PoolLinks, names: Names): ActionsOf<LinkRow> {
  const whyNot = useWhyNotOnFleet()
  const { pool, noun, given } = links
  const { setDefault, unlink } = useLinkOps(links)

  function makeDefault(link: LinkRow): RowAction {
    const silo = siloWord(names, link)
    return {
      label: 'Make default',
      icon: <Star aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      onSelect: () =>
        confirmAction({
          title: 'Make default',
          content: <DefaultChange links={links} silo={silo} siloId={link.siloId} />,
          pendingLabel: 'Making default',
          errorTitle: 'Could not make pool the default',
          success: (
            <>
              {capitalise(noun)} <strong>{pool}</strong> is the default of silo <strong>{silo}</strong>
            </>
          ),
          isPlanned: true,
          run: (_isForGood, send) => setDefault(link.siloId, true, send),
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
          success: successMessage('Silo', silo, `does not use ${pool} by default now`),
          isPlanned: true,
          run: (_isForGood, send) => setDefault(link.siloId, false, send),
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
                Are you sure you want to unlink silo <strong>{silo}</strong> from {noun}{' '}
                <strong>{pool}</strong>?
              </p>
              <p>Users of the silo can no longer choose this pool. This fails while they hold its {given}.</p>
            </>
          ),
          kind: 'danger',
          pendingLabel: 'Unlinking',
          errorTitle: 'Could not unlink silo',
          success: successMessage('Silo', silo, 'unlinked'),
          isPlanned: true,
          run: (_isForGood, send) => unlink(link.siloId, send),
        })
      },
    },
  ]
}

interface Props {
  links: PoolLinks
  silo: string
  siloId: string
}

/** Confirms that a pool becomes a silo's default; names the current default. */
function DefaultChange({ links, silo, siloId }: Props) {
  const { pool, noun } = links
  const current = useReplaced(links, siloId, true)
  return (
    <>
      <p>
        Are you sure you want to make <strong>{pool}</strong> the default {noun} of silo{' '}
        <strong>{silo}</strong>?
      </p>
      {current && (
        <p>
          It replaces <strong>{current}</strong>, which stays linked.
        </p>
      )}
    </>
  )
}
