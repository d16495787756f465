import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { sshKeyView } from '#/features/ssh-keys/queries.ts'
import { SshKeyPanel } from '#/features/ssh-keys/SshKeyPanel.tsx'

export const Route = createFileRoute('/_console/settings/_ssh-keys/ssh-keys/$sshKey/edit')({
  loader: ({ context, params }) => context.prefetch(sshKeyView(params.sshKey)),
  staticData: { title: 'View SSH Key' },
  component: SshKeyView,
})

function SshKeyView() {
  const { data } = useSuspenseQuery(sshKeyView(Route.useParams().sshKey))
  return <SshKeyPanel sshKey={data} closeTo={{ to: '/settings/ssh-keys' }} />
}
