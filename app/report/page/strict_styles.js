// The page's Content-Security-Policy refuses style attributes; Plotly sets some. Through the style object, which the
// policy allows because no markup is involved, the same declarations come to the same element.
const setAttributePlainly = Element.prototype.setAttribute;
Element.prototype.setAttribute = function setAttribute(name, value) {
  if (name === 'style') this.style.cssText = value;
  else setAttributePlainly.call(this, name, value);
};
