import * as op from '@gantry/api/client/operations.gen'
import Copy from 'lucide-react/icons/copy'
import { useOp } from '#/data/use-op.ts'
import { copyText } from '#/ui/copy-text.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import type { SshKey } from './queries.ts'

export function useSshKeyRowActions(): ActionsOf<SshKey> {
  const remove = useOp(op.currentUserSshKeyDelete)
  return ({ name, publicKey }) => [
    {
      label: 'Copy public key',
      icon: <Copy aria-hidden strokeWidth={1.75} />,
      onSelect: () => void copyText(publicKey),
    },
    {
      label: 'Delete',
      onSelect: () =>
        confirmDelete({
          kind: 'SSH key',
          name,
          extra: 'Instances created with it keep it.',
          run: () => remove.run({ path: { sshKey: name } }),
        }),
    },
  ]
}
