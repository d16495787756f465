import { createContext } from 'react'

/**
 * Open menus, to be told that what they offer may have changed. Rows are not drawn again for that, so a menu in one
 * would not know.
 */
export const MenuListeners = createContext(new Set<() => void>())
