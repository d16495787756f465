import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DeletionPage } from '#/features/deletion/page.ts'
import { linkInProject } from '#/features/deletion/links.ts'
import { vpcLink } from '#/features/vpcs/links.ts'
import { vpcView } from '#/features/vpcs/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/delete')({
  loader: ({ context, params }) => context.prefetch(vpcView(params.project, params.vpc)),
  staticData: { crumb: { label: 'Delete', to: '/projects/$project/vpcs/$vpc/delete' } },
  component: DeleteVpc,
})

function DeleteVpc() {
  const { project, vpc } = Route.useParams()
  const { data: object } = useSuspenseQuery(vpcView(project, vpc))
  return (
    <DeletionPage
      kind="vpc"
      noun="VPC"
      object={object}
      cancelTo={vpcLink(project, vpc)}
      goneTo={{ to: '/projects/$project/vpcs', params: { project } }}
      linkOf={linkInProject(project)}
    />
  )
}
