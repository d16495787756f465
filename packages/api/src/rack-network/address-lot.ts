import { z } from 'zod'
import { addressLotKinds } from './address-lot.rules.ts'
import { Ip, IpNet } from '../base/ip.ts'
import { del, family, get, post } from '../op.ts'
import {
  identityCreate,
  IdPaging,
  idSorts,
  list,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  text,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { u8 } from '../base/uint.ts'
import { formerSlot, SwitchSlot } from './switch-slot.ts'

const AddressLotKind = named('AddressLotKind', z.enum(addressLotKinds))
export const AddressLot = named('AddressLot', withIdentity({ kind: AddressLotKind }))
export type AddressLot = z.infer<typeof AddressLot>

export const AddressLotBlock = named(
  'AddressLotBlock',
  z.object({ id: Uuid, first_address: Ip, last_address: Ip }),
)
export type AddressLotBlock = z.infer<typeof AddressLotBlock>

const AddressLotBlockCreate = named(
  'AddressLotBlockCreate',
  z.object({ first_address: Ip, last_address: Ip }),
)
export type AddressLotBlockCreate = z.infer<typeof AddressLotBlockCreate>
const AddressLotCreate = named(
  'AddressLotCreate',
  z.object({ ...identityCreate, kind: AddressLotKind, blocks: list(AddressLotBlockCreate) }),
)
export type AddressLotCreate = z.infer<typeof AddressLotCreate>

const withBlocks = z.object({ lot: AddressLot, blocks: z.array(AddressLotBlock) })
export type AddressLotWithBlocks = z.infer<typeof withBlocks>

export const LoopbackAddress = named(
  'LoopbackAddress',
  z.object({
    id: Uuid,
    address_lot_block_id: Uuid,
    rack_id: Uuid,
    switch_slot: SwitchSlot,
    address: IpNet,
  }),
)
export type LoopbackAddress = z.infer<typeof LoopbackAddress>
export const LoopbackAddressCreate = named(
  'LoopbackAddressCreate',
  z.object({
    address_lot: NameOrId,
    rack_id: Uuid,
    switch_slot: SwitchSlot,
    address: Ip,
    mask: u8,
    /** Several switches may announce the same address. */
    anycast: z.boolean(),
  }),
)
export type LoopbackAddressCreate = z.infer<typeof LoopbackAddressCreate>

const path = z.object({ address_lot: NameOrId })
/** As given: what does not parse has its own message. */
const loose = text(64)
const mask = z.coerce
  .number({ error: 'invalid ip address' })
  .int({ error: 'invalid ip address' })
  .nonnegative({ error: 'invalid ip address' })
  .max(255, 'invalid ip address')
  .meta({ format: 'uint8' })

export const addressLotOps = {
  ...family('system/networking', ['address-lot', 'address-lot-block'], {
    networkingAddressLotList: get('/v1/system/networking/address-lot', {
      summary: 'List address lots',
      query: NameOrIdPaging,
      sorts: nameOrIdSorts,
      returns: pageOf('AddressLot', AddressLot),
    }),
    networkingAddressLotCreate: post('/v1/system/networking/address-lot', {
      summary: 'Create an address lot, or add blocks to an existing one',
      body: AddressLotCreate,
      returns: named('AddressLotCreateResponse', withBlocks),
    }),
    networkingAddressLotView: get('/v1/system/networking/address-lot/{address_lot}', {
      summary: 'Fetch an address lot with its blocks',
      path,
      returns: named('AddressLotViewResponse', withBlocks.extend({})),
    }),
    networkingAddressLotDelete: del('/v1/system/networking/address-lot/{address_lot}', {
      summary: 'Delete an address lot without addresses in use',
      path,
    }),
    networkingAddressLotBlockList: get('/v1/system/networking/address-lot/{address_lot}/blocks', {
      summary: 'List the blocks of an address lot',
      path,
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('AddressLotBlock', AddressLotBlock),
    }),
  }),
  ...family('system/networking', ['loopback-address'], {
    networkingLoopbackAddressList: get('/v1/system/networking/loopback-address', {
      summary: 'List the loopback addresses of switches',
      query: IdPaging,
      sorts: idSorts,
      returns: pageOf('LoopbackAddress', LoopbackAddress),
    }),
    networkingLoopbackAddressCreate: post('/v1/system/networking/loopback-address', {
      summary: 'Create a loopback address on a switch',
      body: LoopbackAddressCreate,
      returns: LoopbackAddress,
    }),
    networkingLoopbackAddressDelete: del(
      '/v1/system/networking/loopback-address/{rack_id}/{switch_slot}/{address}/{subnet_mask}',
      {
        summary: 'Delete a loopback address of a switch',
        path: z.object({ rack_id: Uuid, switch_slot: SwitchSlot, address: loose, subnet_mask: mask }),
        formerParams: formerSlot,
      },
    ),
  }),
}
