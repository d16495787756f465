import { createFileRoute } from '@tanstack/react-router'
import { ListPage } from '../../../../features/common/ListPage.tsx'
import { projectPaths } from '../../../../features/projects/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances')({
  staticData: {
    crumb: ({ project = '' }) => ({ label: 'Instances', path: projectPaths.instances(project) }),
  },
  component: () => <ListPage title="Instances">{null}</ListPage>,
})
