import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { floatingIpAt, floatingIpView } from '#/features/addresses/floating-ips/queries.ts'
import type { FloatingIp } from '#/features/addresses/queries.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { TimeItems, WideIdItem } from '#/kit/page/plate-items.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { instanceById } from '#/features/instances/queries.ts'
import { ProtectionItem } from '#/features/protection/ProtectionItem.tsx'
import { TagsItem } from '#/features/tags/TagsItem.tsx'
import { IpPoolName } from '#/features/ip-pools/parts.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute(
  '/_console/projects/$project/_floating-ips/floating-ips/$floatingIp/edit',
)({
  loader: ({ context, params: { project, floatingIp } }) =>
    context.renew(floatingIpView(project, floatingIp)),
  staticData: { title: 'Edit floating IP' },
  component: EditFloatingIp,
})

function EditFloatingIp() {
  const { project, floatingIp: name } = Route.useParams()
  const view = floatingIpView(project, name)
  const { data: floatingIp } = useSuspenseQuery(view)
  const update = useOp(op.floatingIpUpdate, {
    sees: view,
    seeds: (updated) => floatingIpView(project, updated.name),
  })
  return (
    <EditForm
      kind="floating IP"
      initial={{ name: floatingIp.name, description: floatingIp.description }}
      save={(body, send) => update.run({ ...floatingIpAt(project, name), body }, send)}
      closeTo={{ to: '/projects/$project/floating-ips', params: { project } }}
      disabled={useWhyNotInProject(project)}
    >
      <Plate project={project} floatingIp={floatingIp} />
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}

function Plate({ project, floatingIp }: { project: string; floatingIp: FloatingIp }) {
  const { id, ip, ipPoolId, instanceId } = floatingIp
  return (
    <DataPlate narrow>
      <WideIdItem id={id} />
      <TimeItems of={floatingIp} changed="Updated" />
      <ProtectionItem project={project} id={id} />
      <TagsItem kind="floating-ip" id={id} />
      <DataItem label="IP Address" wide>
        <CopyableId id={ip} max={39} />
      </DataItem>
      <DataItem label="IP Pool">
        <IpPoolName id={ipPoolId} />
      </DataItem>
      <DataItem label="Instance">
        {instanceId ? <InstanceLink project={project} id={instanceId} /> : <EmptyCell />}
      </DataItem>
    </DataPlate>
  )
}

function InstanceLink({ project, id }: { project: string; id: string }) {
  const { data, isError } = useQuery(instanceById(id))
  if (isError) return <EmptyCell />
  if (!data) return <Skeleton />
  return (
    <PageLink {...instanceLink(project, data.name, 'networking')} className="link">
      {data.name}
    </PageLink>
  )
}
