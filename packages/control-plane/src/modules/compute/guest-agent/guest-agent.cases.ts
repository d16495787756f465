import type { guestAgentOps } from '@gantry/api/compute/guest-agent'
import { atlas, instance } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, modifyChild, readChild } from '@gantry/control-plane/testing/operation-case'

const agent = `/ext/v1/instances/web/guest-agent`
const password = { user: 'root', password: 'pebble-quarry-lamp' }
const keys = { user: 'root', ssh_public_keys: ['mine'] }

export const guestAgentCases: CasesOf<typeof guestAgentOps> = {
  instanceGuestAgentView: {
    sent: instance,
    rule: readChild,
    allowed: () => [`${agent}?${atlas}`],
  },
  instanceGuestPasswordSet: {
    sent: { ...instance, body: password },
    rule: modifyChild,
    allowed: () => [`${agent}/password?${atlas}`, password],
  },
  instanceGuestSshKeysAdd: {
    sent: { ...instance, body: keys },
    rule: modifyChild,
    allowed: () => [`${agent}/ssh-keys?${atlas}`, keys],
  },
}
