import * as op from '@gantry/api/client/operations.gen'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import type { AccessToken } from './queries.ts'

export function useAccessTokenRowActions(): ActionsOf<AccessToken> {
  const remove = useOp(op.currentUserAccessTokenDelete)
  return ({ id }) => [
    {
      label: 'Delete',
      onSelect: () =>
        confirmDelete({
          kind: 'access token',
          name: id,
          extra: 'This cannot be undone. Clients that use it will need a new token.',
          run: () => remove.run({ path: { tokenId: id } }),
        }),
    },
  ]
}
