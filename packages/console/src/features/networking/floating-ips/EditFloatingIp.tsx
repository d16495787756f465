import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useOp } from '../../../data/use-op.ts'
import { CopyableId } from '../../../ui/CopyButton.tsx'
import { DataItem, DataPlate } from '../../../ui/DataPlate.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { EmptyCell } from '../../../ui/Truncate.tsx'
import { DescriptionField, NameField } from '../../common/forms/fields.tsx'
import { SideForm } from '../../common/forms/SideForm.tsx'
import { PathLink } from '../../common/PathLink.tsx'
import { TimeItems, WideIdItem } from '../../common/plate-items.tsx'
import { useWhyNotInProject } from '../../common/project-permission.ts'
import { told } from '../../common/told.tsx'
import { instanceById, instancePaths } from '../../instances/queries.ts'
import { IpPoolName } from '../IpPoolName.tsx'
import type { FloatingIp } from '../queries.ts'
import { floatingIpAt, floatingIpPaths, floatingIpView } from './queries.ts'

interface Props {
  project: string
  floatingIp: string
}

export function EditFloatingIp({ project, floatingIp: name }: Props) {
  const view = floatingIpView(project, name)
  const queryClient = useQueryClient()
  const { data: floatingIp } = useSuspenseQuery(view)
  const update = useOp(op.floatingIpUpdate, {
    sees: view,
    onSuccess: (updated) => queryClient.setQueryData(floatingIpView(project, updated.name).queryKey, updated),
  })
  return (
    <SideForm
      title="Edit floating IP"
      submitLabel="Update floating IP"
      pendingLabel="Updating floating IP"
      initial={{ name: floatingIp.name, description: floatingIp.description }}
      save={(body) => update.run({ ...floatingIpAt(project, name), body })}
      saved={(updated) => told('Floating IP', updated.name, 'updated')}
      closeTo={floatingIpPaths.list(project)}
      disabled={useWhyNotInProject(project)}
    >
      <Plate project={project} floatingIp={floatingIp} />
      <NameField name="name" />
      <DescriptionField name="description" />
    </SideForm>
  )
}

function Plate({ project, floatingIp }: { project: string; floatingIp: FloatingIp }) {
  const { id, ip, ipPoolId, instanceId } = floatingIp
  return (
    <DataPlate narrow>
      <WideIdItem id={id} />
      <TimeItems of={floatingIp} changed="Updated" />
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
    <PathLink to={instancePaths.networking(project, data.name)} className="link">
      {data.name}
    </PathLink>
  )
}
