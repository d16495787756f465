import type { instanceOps } from '@gantry/api/compute/instance'
import {
  GiB,
  atlas,
  fresh,
  instance,
  machine,
  named,
  project,
} from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  type OperationCase,
  createInProject,
  listChild,
  listProject,
  modifyChild,
  readChild,
  type Given,
} from '@gantry/control-plane/testing/operation-case'

const addressed: OperationCase['addressed'] = [
  'instance',
  'instance',
  ['project'],
  'when providing instance as an ID project should not be specified',
  'instance should either be UUID or project should be specified',
]

export const instanceCases: CasesOf<typeof instanceOps> = {
  instanceList: { sent: { query: project }, rule: listProject, allowed: () => [`/v1/instances?${atlas}`] },
  instanceCreate: {
    sent: { query: project, body: { ...named, ncpus: 1, memory: GiB, hostname: 'new-one' } },
    rule: createInProject,
    allowed: () => [`/v1/instances?${atlas}`, machine(fresh())],
  },
  instanceView: {
    sent: instance,
    rule: readChild,
    allowed: () => [`/v1/instances/web?${atlas}`],
    addressed,
  },
  instanceUpdate: {
    sent: { ...instance, body: { ncpus: 1, memory: GiB } },
    rule: modifyChild,
    allowed: () => [`/v1/instances/web?${atlas}`, { ncpus: 1, memory: GiB }],
  },
  instanceDelete: {
    sent: instance,
    rule: modifyChild,
    allowed: async ({ made }) => [
      `/v1/instances/${await made(`/v1/instances?${atlas}`, machine(fresh()))}?${atlas}`,
    ],
    addressed,
  },
  instanceStart: {
    sent: instance,
    rule: modifyChild,
    allowed: () => [`/v1/instances/busy/start?${atlas}`],
    addressed,
  },
  instanceStop: { sent: instance, rule: modifyChild, allowed: () => [`/v1/instances/web/stop?${atlas}`] },
  instanceReboot: { sent: instance, rule: modifyChild, allowed: () => [`/v1/instances/web/reboot?${atlas}`] },
  instanceDiskList: {
    sent: instance,
    rule: listChild,
    allowed: () => [`/v1/instances/web/disks?${atlas}`],
    addressed,
  },
  instanceDiskAttach: {
    sent: { ...instance, body: { disk: 'nobody' } },
    rule: modifyChild,
    allowed: () => [`/v1/instances/web/disks/attach?${atlas}`, { disk: 'held' }],
  },
  instanceDiskDetach: {
    sent: { ...instance, body: { disk: 'nobody' } },
    rule: modifyChild,
    allowed: () => [`/v1/instances/web/disks/detach?${atlas}`, { disk: 'loose' }],
  },
  instanceExternalIpList: {
    sent: instance,
    rule: readChild,
    allowed: () => [`/v1/instances/web/external-ips?${atlas}`],
  },
  instanceEphemeralIpAttach: {
    sent: { ...instance, body: { pool: 'nowhere' } },
    rule: modifyChild,
    allowed: () => [`/v1/instances/web/external-ips/ephemeral?${atlas}`, {}],
  },
  instanceEphemeralIpDetach: {
    sent: instance,
    rule: modifyChild,
    allowed: () => [`/v1/instances/web/external-ips/ephemeral?${atlas}`],
  },
  instanceSshPublicKeyList: {
    sent: instance,
    rule: readChild,
    allowed: () => [`/v1/instances/web/ssh-public-keys?${atlas}`],
  },
  instanceSerialConsole: {
    sent: { ...instance, query: { ...project, from_start: '0' } },
    rule: readChild,
    allowed: () => [`/v1/instances/web/serial-console?${atlas}&from_start=0`],
  },
  instanceSerialConsoleStream: {
    sent: instance,
    rule: modifyChild,
    allowed: () => [`/v1/instances/web/serial-console/stream?${atlas}`],
  },
}

export const instanceGiven: Given = {
  instance: ({ at, the }) => [`/v1/instances?${at}`, machine(the.name)],
}
