/** Why a sled cannot take an instance now, grouped by remedy. */
export const sledReasons = {
  out_of_reach: {
    message: 'the sled is unreachable',
    help: 'Wait until it is back, or ask the operator.',
  },
  not_provisionable: {
    message: 'the sled takes no new instances',
    help: 'Ask the operator when it will accept them.',
  },
  other_cpu: {
    message: 'its processors cannot run the CPU platform',
    help: 'Choose another CPU platform, or none.',
  },
  no_vcpus: {
    message: 'not enough free vCPUs',
    help: 'Try fewer vCPUs, or stop unused instances.',
  },
  no_memory: {
    message: 'not enough free memory',
    help: 'Try less memory, or stop unused instances.',
  },
  no_room: {
    message: 'not enough free vCPUs and memory',
    help: 'Try a smaller size, or stop unused instances.',
  },
  other_storage: {
    message: 'its local disks are on another sled',
    help: 'Wait until their sled takes instances, or detach the local disks.',
  },
  no_storage: {
    message: 'not enough free space for its local disks',
    help: 'Use smaller local disks or distributed ones, or delete local disks that are not needed.',
  },
  banned: {
    message: 'holds another member of an anti-affinity group',
    help: 'Use a group with the policy allow, leave the group out, or stop a member.',
  },
  not_required: {
    message: 'an affinity group requires another sled',
    help: 'Use a group with the policy allow, or leave the group out.',
  },
} as const satisfies Record<string, { message: string; help: string }>

export type SledReason = keyof typeof sledReasons
export const sledReasonNames = Object.keys(sledReasons) as [SledReason, ...SledReason[]]
