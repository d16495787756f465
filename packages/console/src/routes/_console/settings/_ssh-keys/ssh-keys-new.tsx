import { createFileRoute } from '@tanstack/react-router'
import { sshKeyPaths } from '../../../../features/ssh-keys/queries.ts'
import { SshKeyForm } from '../../../../features/ssh-keys/SshKeyForm.tsx'

export const Route = createFileRoute('/_console/settings/_ssh-keys/ssh-keys-new')({
  staticData: { crumb: { label: 'New SSH key', path: sshKeyPaths.create, titleOnly: true } },
  component: () => <SshKeyForm closeTo={sshKeyPaths.list} />,
})
