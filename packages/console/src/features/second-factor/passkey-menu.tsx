import type { MenuEntry } from '#/ui/Menu.tsx'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { rowMenu } from '#/features/common/row-menu.tsx'
import type { Passkey } from './queries.ts'

interface PasskeyActions {
  /** Why it cannot be removed. */
  whyNotRemove: string | undefined
  confirmed: (then: () => void) => void
  rename: () => void
  remove: () => Promise<unknown>
}

export const passkeyMenu = (
  { id, name }: Passkey,
  { whyNotRemove, confirmed, rename, remove }: PasskeyActions,
): MenuEntry[] =>
  rowMenu(id, 'Copy ID', [
    { label: 'Rename', onSelect: rename },
    {
      label: 'Delete',
      ...(whyNotRemove && { disabled: whyNotRemove }),
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
