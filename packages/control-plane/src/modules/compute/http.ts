import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import { implement } from '../../pipeline/implement.ts'
import { need } from '../../lookup/need.ts'
import { listInProject, listPage } from '../../list/page.ts'
import { sortedPage } from '../../list/sorted-page.ts'
import { sshKeyView } from '../people/ssh-keys.ts'
import { diskView } from '../storage/disks.ts'
import { addGuestSshKeys, setGuestPassword, viewGuestAgent } from './guest-agent/guest-agent.ts'
import { updateCds } from './hardware/cds.ts'
import { updateInstanceHardware } from './hardware/choose.ts'
import { hardwareView } from './hardware/view.ts'
import { createInstance } from './instances/create.ts'
import { attachDiskToInstance, detachDiskFromInstance } from './instances/disks.ts'
import { hotAttachDisk, hotDetachDisk } from './hot-plug/hot-plug.ts'
import { listInstanceChanges } from './instances/instance-changes.ts'
import { viewLastOutput } from './machines/last-output.ts'
import { checkPlacement } from './instances/placement-check.ts'
import { forceOffInstance, rebootInstance, startInstance, stopInstance } from './instances/power.ts'
import { updatePending } from './pending/pending.ts'
import { openScreen } from './screen/screen.ts'
import { openConsole, readConsole } from './serial/serial-console.ts'
import { updateInstanceIdentity } from './instances/rename.ts'
import { deleteInstance, updateInstance } from './instances/service.ts'
import { instanceView } from './instances/view.ts'

export const computeHttp = implement({
  instanceList: (cx, { query }) => listInProject(cx, 'instance', query, instanceView),
  instanceCreate: async (cx, { query, body }) => instanceView(await createInstance(cx, query, body)),
  instanceView: async (cx, { path, query }) =>
    instanceView((await need(cx, 'instance', { ...path, ...query }, 'read')).row),
  instanceUpdate: async (cx, { path, query, body }) =>
    instanceView(await updateInstance(cx, { ...path, ...query }, body)),
  instancePendingUpdate: async (cx, input) => instanceView(await updatePending(cx, input)),
  instanceIdentityUpdate: async (cx, input) => instanceView(await updateInstanceIdentity(cx, input)),
  instanceDelete: (cx, { path, query }) => deleteInstance(cx, { ...path, ...query }),
  instanceStart: async (cx, { path, query }) => instanceView(await startInstance(cx, { ...path, ...query })),
  instanceStop: async (cx, { path, query }) => instanceView(await stopInstance(cx, { ...path, ...query })),
  instanceForceOff: async (cx, { path, query }) =>
    instanceView(await forceOffInstance(cx, { ...path, ...query })),
  instanceReboot: async (cx, { path, query }) =>
    instanceView(await rebootInstance(cx, { ...path, ...query })),
  instanceDiskList: (cx, { path, query }) =>
    listPage(
      cx,
      'disk',
      query,
      async (at) => {
        const { row } = await need(cx, 'instance', { ...at, ...path }, 'list_children')
        return { where: { instance_id: row.id } }
      },
      diskView,
    ),
  instanceDiskAttach: async (cx, { path, query, body }) =>
    diskView(await attachDiskToInstance(cx, { ...path, ...query }, body.disk)),
  instanceDiskDetach: async (cx, { path, query, body }) =>
    diskView(await detachDiskFromInstance(cx, { ...path, ...query }, body.disk)),
  instanceDiskHotAttach: async (cx, { path, query, body }) =>
    diskView(await hotAttachDisk(cx, { ...path, ...query }, body.disk)),
  instanceDiskHotDetach: async (cx, { path, query, body }) =>
    diskView(await hotDetachDisk(cx, { ...path, ...query }, body.disk)),
  instanceSshPublicKeyList: (cx, { path, query }) =>
    listPage(
      cx,
      'ssh_key',
      query,
      async (at) => {
        const { row } = await need(cx, 'instance', { ...at, ...path }, 'read')
        return {
          where: {},
          and: sql`t.id IN (SELECT ssh_key_id FROM instance_ssh_key WHERE instance_id = ${row.id})`,
        }
      },
      sshKeyView,
    ),
  instanceSerialConsoleStream: (cx, { path, query: { project, ...rest } }) =>
    openConsole(cx, { ...path, project }, rest),
  instanceSerialConsole: (cx, { path, query: { project, ...offsets } }) =>
    readConsole(cx, { ...path, project }, offsets),
  instanceScreenStream: (cx, { path, query: { project, ...rest } }) =>
    openScreen(cx, { ...path, project }, rest),
  instanceHardwareView: async (cx, { path, query }) =>
    hardwareView(cx, (await need(cx, 'instance', { ...path, ...query }, 'read')).row),
  instanceHardwareUpdate: async (cx, input) => hardwareView(cx, await updateInstanceHardware(cx, input)),
  instanceCdsUpdate: async (cx, input) => hardwareView(cx, await updateCds(cx, input)),
  instanceLastOutputView: (cx, { path, query }) => viewLastOutput(cx, { ...path, ...query }),
  instanceGuestAgentView: (cx, { path, query }) => viewGuestAgent(cx, { ...path, ...query }),
  instanceGuestPasswordSet: (cx, { path, query, body }) => setGuestPassword(cx, { ...path, ...query }, body),
  instanceGuestSshKeysAdd: (cx, { path, query, body }) => addGuestSshKeys(cx, { ...path, ...query }, body),
  instanceSortedList: (cx, { query }) =>
    sortedPage(cx, ops.instanceSortedList, 'instance', query, instanceView),
  instanceChangeList: listInstanceChanges,
  placementCheck: (cx, { query, body }) => checkPlacement(cx, query, body),
})
