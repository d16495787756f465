import { createFileRoute } from '@tanstack/react-router'
import { ConnectTab } from '#/features/instance-page/ConnectTab.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/connect')({
  staticData: {
    crumb: { label: 'Connect', to: '/projects/$project/instances/$instance/connect' },
    saysSimulated: true,
  },
  component: Connect,
})

function Connect() {
  return <ConnectTab {...Route.useParams()} />
}
