import { z } from 'zod'
import { bfdModes, bfdStates } from './bgp.rules.ts'
import { Ip } from '../base/ip.ts'
import { family, get, post } from '../op.ts'
import { maybe, named } from '../schema.ts'
import { SwitchSlot } from './switch-slot.ts'
import { u64, u8 } from '../base/uint.ts'

const Mode = named('BfdMode', z.enum(bfdModes))

export const BfdSessionEnable = named(
  'BfdSessionEnable',
  z.object({
    switch_slot: SwitchSlot,
    remote: Ip,
    local: maybe(Ip),
    detection_threshold: u8,
    /** Microseconds between packets. */
    required_rx: u64,
    mode: Mode,
  }),
)
export type BfdSessionEnable = z.infer<typeof BfdSessionEnable>
export const BfdSessionDisable = named('BfdSessionDisable', z.object({ switch_slot: SwitchSlot, remote: Ip }))
export type BfdSessionDisable = z.infer<typeof BfdSessionDisable>
const BfdStatus = named(
  'BfdStatus',
  z.object({
    peer: Ip,
    state: named('BfdState', z.enum(bfdStates)),
    switch_slot: SwitchSlot,
    local: Ip.nullish(),
    detection_threshold: u8,
    required_rx: u64,
    mode: Mode,
  }),
)
export type BfdStatus = z.infer<typeof BfdStatus>

export const bfdOps = family('system/networking', ['bfd-session'], {
  networkingBfdEnable: post('/v1/system/networking/bfd-enable', {
    summary: 'Enable a BFD session',
    body: BfdSessionEnable,
    status: 204,
  }),
  networkingBfdDisable: post('/v1/system/networking/bfd-disable', {
    summary: 'Disable a BFD session',
    body: BfdSessionDisable,
    status: 204,
  }),
  networkingBfdStatus: get('/v1/system/networking/bfd-status', {
    reads: ['bfd-session', 'switch-port', 'switch-port-settings'],
    summary: 'List BFD sessions with their states',
    returns: z.array(BfdStatus),
  }),
})
