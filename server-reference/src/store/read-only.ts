type Primitive = string | number | boolean | null | undefined | (() => unknown);

/** The same type with all properties readonly, recursively. `Store.state` and `Store.commit` return it. */
export type DeepReadonly<T> = T extends Primitive
  ? T
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;
