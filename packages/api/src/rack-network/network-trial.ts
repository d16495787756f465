import { z } from 'zod'
import { AllowedSourceIps } from './network-access.ts'
import { lossKinds, trialStates, trialSubjects } from './network-trial.rules.ts'
import { family, get, post } from '../op.ts'
import { maybe, named, NameOrId, Timestamp, Uuid } from '../schema.ts'
import { SwitchPortSettingsCreate } from './switch-port-settings.ts'

const NetworkChange = named(
  'NetworkChange',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('allow_list'), allowed_ips: AllowedSourceIps }),
    /** Without settings, those of the port are cleared. */
    z.object({ type: z.literal('switch_port'), switch_port_id: Uuid, port_settings: maybe(NameOrId) }),
    /** Settings that exist, by their name. */
    z.object({ type: z.literal('switch_port_settings'), settings: SwitchPortSettingsCreate }),
  ]),
)
export type NetworkChange = z.infer<typeof NetworkChange>

const NetworkLoss = named('NetworkLoss', z.object({ kind: z.enum(lossKinds), text: z.string() }))
export type NetworkLoss = z.infer<typeof NetworkLoss>

const NetworkTrial = named(
  'NetworkTrial',
  z.object({
    id: Uuid,
    subject: z.enum(trialSubjects),
    /** The port or the settings; for the allow list, always the same id. */
    subject_id: Uuid,
    /** The subject's name. */
    subject_name: z.string(),
    state: z.enum(trialStates),
    time_created: Timestamp,
    time_expires: Timestamp,
    time_ended: Timestamp.nullable(),
    /** By the clock of the server; 0 once the trial has ended. */
    remaining_ms: z.number().int().nonnegative(),
  }),
)
export type NetworkTrial = z.infer<typeof NetworkTrial>

const path = z.object({ trial_id: Uuid })
const changed = ['network-trial', 'allow-list', 'switch-port', 'switch-port-settings'] as const

export const networkTrialOps = family('extensions', ['network-trial'], {
  networkImpactView: post('/ext/v1/system/networking/impact', {
    summary: 'Fetch what a change of the network would cut off',
    body: NetworkChange,
    returns: named('NetworkImpact', z.object({ losses: z.array(NetworkLoss) })),
    status: 200,
    changes: [],
    audited: false,
    onlyReads: true,
  }),
  networkTrialList: get('/ext/v1/system/networking/trials', {
    summary: 'List changes of the network that revert unless confirmed, the newest first',
    returns: named('NetworkTrials', z.object({ items: z.array(NetworkTrial) })),
  }),
  networkTrialCreate: post('/ext/v1/system/networking/trials', {
    summary: 'Change the network, and revert after a minute unless confirmed',
    body: NetworkChange,
    returns: NetworkTrial,
    // On what it changes: the allow list, the port or the settings.
    conditional: true,
    changes: changed,
  }),
  networkTrialConfirm: post('/ext/v1/system/networking/trials/{trial_id}/confirm', {
    summary: 'Confirm a change of the network, so that it does not revert',
    path,
    returns: NetworkTrial,
    status: 200,
  }),
  networkTrialRevert: post('/ext/v1/system/networking/trials/{trial_id}/revert', {
    summary: 'Revert a change of the network now',
    path,
    returns: NetworkTrial,
    status: 200,
    changes: changed,
  }),
})
