import * as op from '@gantry/api/client/operations.gen'
import { call } from '../../data/client.ts'
import { Failure } from '../../data/failure.ts'

/**
 * Deletes a project, and the network that it was made with where that is all it holds: the API deletes nothing
 * that is in a project, and no project begins without this network. Whatever else is in it is told of and stays.
 */
export async function deleteProject(project: string, remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove()
  } catch (refusal) {
    if (!isAboutDefaultVpc(refusal) || (await holdsMore(project))) throw refusal
    await removeDefaultVpc(project)
    await remove()
  }
}

/** The API names what is in the way in a fixed order, so instances, disks, addresses and images are gone by then. */
export const isAboutDefaultVpc = (refusal: unknown): boolean =>
  refusal instanceof Failure &&
  refusal.statusCode === 400 &&
  /contains a vpc: default$/i.test(refusal.message)

async function holdsMore(project: string): Promise<boolean> {
  const query = { project, limit: 2 }
  const [vpcs, groups] = await Promise.all([
    call(op.vpcList, { query }),
    call(op.antiAffinityGroupList, { query }),
  ])
  return vpcs.data.items.length > 1 || groups.data.items.length > 0
}

async function removeDefaultVpc(project: string): Promise<void> {
  const query = { project, vpc: 'default' }
  const { data } = await call(op.vpcSubnetList, { query: { ...query, limit: 1000 } })
  for (const { name } of data.items) await call(op.vpcSubnetDelete, { path: { subnet: name }, query })
  await call(op.vpcDelete, { path: { vpc: 'default' }, query: { project } })
}
