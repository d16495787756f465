import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_console/projects/$project/instances')({
  staticData: { crumb: { label: 'Instances', to: '/projects/$project/instances' } },
})
