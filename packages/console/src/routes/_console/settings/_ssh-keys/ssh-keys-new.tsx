import { createFileRoute } from '@tanstack/react-router'
import { SshKeyForm } from '#/features/ssh-keys/SshKeyForm.tsx'

export const Route = createFileRoute('/_console/settings/_ssh-keys/ssh-keys-new')({
  staticData: { title: 'Add SSH key' },
  component: () => <SshKeyForm closeTo={{ to: '/settings/ssh-keys' }} />,
})
