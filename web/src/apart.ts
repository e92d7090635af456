// What few visitors open: fetched, all at once, when someone does.

export { Login, Password, Token } from "./pages/Login";
export { Me } from "./pages/Me";
export { SecondStep } from "./pages/SecondStep";
export { Operator } from "./pages/Operator";
export { CloseRoom, Keeper } from "./parts/Keeper";
export { Prove } from "./parts/Prove";
export { OwnText } from "./parts/OwnText";
