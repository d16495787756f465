import { updateNetworkingSettings, viewNetworkingSettings } from './networking-settings.ts'
import { implement } from '../../pipeline/implement.ts'
import { updateAllowList, updateIcmp, viewAllowList, viewIcmp } from './access.ts'
import * as bgp from './bgp.ts'
import { viewFabric } from './fabric.ts'
import { createLoopback, deleteLoopback, listLoopbacks } from './loopback.ts'
import { createLot, deleteLot, listBlocks, listLots, viewLot } from './lots.ts'
import * as ports from './ports.ts'
import { createSettings, deleteSettings, listSettings, viewSettings } from './settings.ts'
import * as status from './status.ts'
import { confirmTrial, createTrial, listTrials, revertTrial, viewImpact } from './trials.ts'

export const systemNetworkHttp = implement({
  systemNetworkingSettingsView: (cx) => viewNetworkingSettings(cx),
  systemNetworkingSettingsUpdate: (cx, { body }) => updateNetworkingSettings(cx, body),

  networkingAddressLotList: (cx, { query }) => listLots(cx, query),
  networkingAddressLotCreate: (cx, { body }) => createLot(cx, body),
  networkingAddressLotView: (cx, { path }) => viewLot(cx, path),
  networkingAddressLotDelete: (cx, { path }) => deleteLot(cx, path),
  networkingAddressLotBlockList: (cx, { path, query }) => listBlocks(cx, path, query),
  networkingLoopbackAddressList: (cx, { query }) => listLoopbacks(cx, query),
  networkingLoopbackAddressCreate: (cx, { body }) => createLoopback(cx, body),
  networkingLoopbackAddressDelete: (cx, { path }) => deleteLoopback(cx, path),

  networkingSwitchPortSettingsList: (cx, { query }) => listSettings(cx, query),
  networkingSwitchPortSettingsCreate: (cx, { body }) => createSettings(cx, body),
  networkingSwitchPortSettingsView: (cx, { path }) => viewSettings(cx, path.port),
  networkingSwitchPortSettingsDelete: (cx, { query }) => deleteSettings(cx, query.port_settings),

  networkingSwitchPortList: (cx, { query }) => ports.listPorts(cx, query),
  networkingSwitchPortApplySettings: (cx, { path, query, body }) =>
    ports.applySettings(cx, { ...path, ...query }, body.port_settings),
  networkingSwitchPortClearSettings: (cx, { path, query }) => ports.clearSettings(cx, { ...path, ...query }),
  networkingSwitchPortStatus: (cx, { path, query }) => ports.viewStatus(cx, { ...path, ...query }),
  networkingSwitchPortLldpConfigView: (cx, { path, query }) => ports.viewLldp(cx, { ...path, ...query }),
  networkingSwitchPortLldpConfigUpdate: (cx, { path, query, body }) =>
    ports.updateLldp(cx, { ...path, ...query }, body),
  networkingSwitchPortLldpNeighbors: (cx, { path, query }) => ports.listNeighbors(cx, path, query),

  networkingBgpConfigList: (cx, { query }) => bgp.listConfigs(cx, query),
  networkingBgpConfigCreate: (cx, { body }) => bgp.createConfig(cx, body),
  networkingBgpConfigUpdate: (cx, { query, body }) => bgp.updateConfig(cx, query.name_or_id, body),
  networkingBgpConfigDelete: (cx, { query }) => bgp.deleteConfig(cx, query.name_or_id),
  networkingBgpAnnounceSetList: (cx, { query }) => bgp.listSets(cx, query),
  networkingBgpAnnounceSetUpdate: (cx, { body }) => bgp.updateSet(cx, body),
  networkingBgpAnnounceSetDelete: (cx, { path }) => bgp.deleteSet(cx, path),
  networkingBgpAnnouncementList: (cx, { path }) => bgp.listAnnouncements(cx, path),
  networkingBgpStatus: (cx) => status.listPeers(cx),
  networkingBgpExported: (cx) => status.viewExported(cx),
  networkingBgpExportedList: (cx) => status.listExported(cx),
  networkingBgpImported: (cx, { query }) => status.listImported(cx, query.asn),
  networkingBgpMessageHistory: (cx, { query }) => status.viewHistory(cx, query.asn),
  networkingBgpImportedRoutesIpv4: (cx, { query }) => status.listImportedIpv4(cx, query.asn),

  networkingBfdEnable: (cx, { body }) => status.enableBfd(cx, body),
  networkingBfdDisable: (cx, { body }) => status.disableBfd(cx, body),
  networkingBfdStatus: (cx) => status.listBfd(cx),

  networkingAllowListView: (cx) => viewAllowList(cx),
  networkingAllowListUpdate: (cx, { body }) => updateAllowList(cx, body.allowed_ips),
  networkingInboundIcmpView: (cx) => viewIcmp(cx),
  networkingInboundIcmpUpdate: (cx, { body }) => updateIcmp(cx, body),

  networkFabricView: (cx) => viewFabric(cx),
  networkImpactView: (cx, { body }) => viewImpact(cx, body),
  networkTrialList: (cx) => listTrials(cx),
  networkTrialCreate: (cx, { body }) => createTrial(cx, body),
  networkTrialConfirm: (cx, { path }) => confirmTrial(cx, path.trial_id),
  networkTrialRevert: (cx, { path }) => revertTrial(cx, path.trial_id),
})
