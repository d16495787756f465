import type { MenuEntry } from '#/ui/Menu.tsx'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { rowMenu } from '#/features/common/row-menu.tsx'
import type { Passkey } from './queries.ts'

interface Ways {
  /** Why it cannot be removed. */
  kept: string | undefined
  confirmed: (then: () => void) => void
  rename: () => void
  remove: () => Promise<unknown>
}

export const passkeyMenu = ({ id, name }: Passkey, { kept, confirmed, rename, remove }: Ways): MenuEntry[] =>
  rowMenu(id, 'Copy ID', [
    { label: 'Rename', onSelect: rename },
    {
      label: 'Delete',
      ...(kept && { disabled: kept }),
      onSelect: () =>
        confirmed(() =>
          confirmDelete({
            kind: 'passkey',
            name,
            extra: 'It will no longer sign you in. Remove it from your device as well.',
            run: remove,
          }),
        ),
    },
  ])
