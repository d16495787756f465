import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'

export type SettingsRow = OutputOf<'networkingSwitchPortSettingsList'>['items'][number]
export type PortSettings = OutputOf<'networkingSwitchPortSettingsView'>

export const portSettings = listQuery(op.networkingSwitchPortSettingsList, {})
export const settingsView = (port: string) => opQuery(op.networkingSwitchPortSettingsView, { path: { port } })
export const allPorts = allQuery(op.networkingSwitchPortList, {})
