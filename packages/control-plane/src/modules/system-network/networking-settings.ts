import type {
  NetworkingSettings,
  NetworkingSettingsUpdate,
} from '@gantry/api/rack-network/networking-settings'
import type { Reader } from '../../db/database.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import { aim, needFleet } from '../../lookup/need.ts'
import { withGeneration } from '../../lookup/views.ts'
import { lockAccess, readSetting, writeSetting } from './access.ts'

const name = 'networking-settings'
const id = '00000000-0000-4000-8000-00000000f8a3'

const view = async (db: Reader): Promise<NetworkingSettings> => {
  const { value, generation } = await readSetting<NetworkingSettings>(db, name)
  return withGeneration({ ...value }, generation)
}

export async function viewNetworkingSettings(cx: Cx): Promise<NetworkingSettings> {
  needFleet(cx, 'read')
  return view(cx.db)
}

/** Instances keep what they asked for while it is not allowed: it is in force again from a later start on. */
export async function updateNetworkingSettings(
  cx: Cx,
  wanted: NetworkingSettingsUpdate,
): Promise<NetworkingSettings> {
  needFleet(cx, 'modify')
  if (wanted.external_jumbo_frames_opt_in_enabled) needCapability(cx.services.fleet, 'jumbo_frames')
  return change(cx, fleetScope, async (tx) => {
    await lockAccess(tx)
    aim(cx, { id, generation: (await readSetting(tx.read, name)).generation })
    await writeSetting(tx, name, id, wanted)
    return view(tx.read)
  })
}

/** Refuses jumbo frames for an instance where the fleet has none, and while its operators do not allow them. */
export async function needJumboFrames(cx: Cx, db: Reader): Promise<void> {
  needCapability(cx.services.fleet, 'jumbo_frames')
  if (!(await allowsJumboFrames(db)))
    throw invalid(
      'jumbo frames are not enabled on this rack',
      'Ask an operator to allow them, under System, Networking, Fabric.',
    )
}

/** Bytes of the largest packet with jumbo frames. */
export const jumboMtu = 8500

export const allowsJumboFrames = async (db: Reader): Promise<boolean> =>
  (await readSetting<NetworkingSettings>(db, name)).value.external_jumbo_frames_opt_in_enabled
