import * as op from '@gantry/api/client/operations.gen'
import { useLayoutEffect } from 'react'
import { useOp } from '../../data/use-op.ts'
import { confirmDelete } from '../common/confirm.tsx'
import type { ActionsOf } from '../common/use-late-actions.ts'
import type { AccessToken } from './queries.ts'

/** What the rows' menus of the list offer. */
export function AccessTokenRowActions({ offer }: { offer: (actionsOf: ActionsOf<AccessToken>) => void }) {
  const remove = useOp(op.currentUserAccessTokenDelete, { refreshes: [op.currentUserAccessTokenList] })
  useLayoutEffect(() =>
    offer(({ id }) => [
      {
        label: 'Delete',
        onSelect: () =>
          confirmDelete({
            kind: 'access token',
            name: id,
            extra: 'This cannot be undone. Whatever uses it will need a new token.',
            run: () => remove.run({ path: { tokenId: id } }),
          }),
      },
    ]),
  )
  return null
}
